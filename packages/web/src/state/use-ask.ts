/** Sending a question: opens a session if there is none, keeps the text until the server has it (ui.md, Behaviour). */
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useServices, useSession, useTexts } from '../services.ts';

export type Asking = {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly send: (question?: string) => void;
  readonly sending: boolean;
  readonly fault: string;
};

const TITLE_CHARS = 80;

export function useAsk(): Asking {
  const { api, place, drafts, newId, preferences } = useServices();
  const texts = useTexts();
  const { sessionId } = useSession();
  const [text, setTextOnly] = useState(() => drafts.read(sessionId));
  const [sending, setSending] = useState(false);
  const [fault, setFault] = useState('');
  // A question that is sent again after a fault keeps its key: the server starts one turn for it.
  const lastSent = useRef({ question: '', key: '' });

  useEffect(() => {
    setTextOnly(drafts.read(sessionId));
    setFault('');
  }, [sessionId, drafts]);

  function setText(next: string): void {
    setTextOnly(next);
    drafts.write(sessionId, next);
  }

  async function ask(question: string): Promise<void> {
    setText(question);
    setSending(true);
    setFault('');
    try {
      const id = sessionId ?? (await api.create(titleOf(question))).id;
      if (lastSent.current.question !== `${id} ${question}`) {
        lastSent.current = { question: `${id} ${question}`, key: newId() };
      }
      // The draft moves to the new session first: whatever happens now, the text is where the person will look.
      drafts.write(id, question);
      if (id !== sessionId) {
        drafts.write(null, '');
        place.go(id);
      }
      await api.ask(id, question, preferences.snapshot().thinking, lastSent.current.key);
      // Whoever went on typing, or to another session, keeps what stands there now.
      if (drafts.read(id) === question) drafts.write(id, '');
      setTextOnly((now) => (now === question ? '' : now));
    } catch (error) {
      setFault(error instanceof ApiError && error.status !== 0 ? error.message : texts.networkError);
    } finally {
      setSending(false);
    }
  }

  return {
    text,
    setText,
    send: (question = text) => {
      if (question.trim() !== '' && !sending) void ask(question.trim());
    },
    sending,
    fault,
  };
}

/** The first line, cut between characters. */
function titleOf(question: string): string {
  const line = question.split('\n')[0] ?? '';
  return line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
