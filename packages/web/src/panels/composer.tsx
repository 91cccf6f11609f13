/** Where a question is written and sent, and a running turn is stopped. What was not sent is never lost. */
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { Icon } from '../parts/icon.tsx';
import { usePreferences, useServices, useSession, useTexts } from '../services.ts';

const MOST_HEIGHT_PX = 260;

export function Composer({
  boxRef,
  text,
  onText,
  onSend,
  fault,
  sending,
}: {
  readonly boxRef: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Why the last send failed; empty where it did not. */
  readonly fault: string;
  readonly sending: boolean;
}): ReactNode {
  const texts = useTexts();
  const { preferences } = useServices();
  const { thinking } = usePreferences();
  const { timeline } = useSession();
  const running = timeline.running !== null;

  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    // The box is as high as its text. Measured from one line, so that it shrinks too.
    box.style.height = 'auto';
    if (text !== '') box.style.height = `${Math.min(box.scrollHeight, MOST_HEIGHT_PX)}px`;
  }, [boxRef, text]);

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (!running) onSend();
      }}
    >
      {fault === '' ? null : (
        <p className="composer-fault" role="alert">
          <Icon name="alert" />
          <span>
            {fault} {texts.sendFailed}
          </span>
        </p>
      )}
      <div className="composer-box">
        <textarea
          ref={boxRef}
          rows={1}
          value={text}
          aria-label={texts.question}
          placeholder={texts.questionPlaceholder}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (!sends(event)) return;
            event.preventDefault();
            if (!running) onSend();
          }}
        />
        <div className="composer-tools">
          <button
            type="button"
            className="toggle"
            aria-pressed={thinking}
            onClick={() => preferences.change({ thinking: !thinking })}
          >
            <Icon name="thought" />
            {texts.thinkHarder}
          </button>
          <span className="composer-hint">
            {running && text !== '' ? texts.waitForTurn : texts.composerHint}
          </span>
          {running ? <StopButton /> : <SendButton disabled={sending || text.trim() === ''} />}
        </div>
      </div>
    </form>
  );
}

/** Enter sends; with Shift it breaks the line; while an input method composes, it chooses a word (229: Safari). */
function sends(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  return !event.nativeEvent.isComposing && event.keyCode !== 229;
}

function SendButton({ disabled }: { readonly disabled: boolean }): ReactNode {
  const texts = useTexts();
  return (
    <button type="submit" className="send" disabled={disabled} aria-label={texts.send} title={texts.send}>
      <Icon name="send" />
    </button>
  );
}

function StopButton(): ReactNode {
  const texts = useTexts();
  const { api } = useServices();
  const { sessionId, timeline } = useSession();
  const stopping = timeline.turn?.stopping === true;
  const label = stopping ? texts.stopping : texts.stop;
  return (
    <button
      type="button"
      className="send send-stop"
      disabled={stopping}
      aria-label={label}
      title={label}
      // Whether it worked is told by the events; a lost request can be sent again by the same button.
      onClick={() => sessionId !== null && api.stop(sessionId).catch(() => undefined)}
    >
      <Icon name="stop" />
    </button>
  );
}
