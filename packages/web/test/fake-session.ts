/** One session of the fake server: a log, its followers, and a turn that plays its script through the test's gates. */
import type { Script } from './scripted-turn.ts';

type Frame = {
  readonly seq: number | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

const PIECE_CHARS = 24;

export class FakeSession {
  readonly id: string;
  title: string;
  readonly updatedAt: string;
  running: string | null = null;
  readonly #log: Frame[] = [];
  readonly #followers = new Set<(frame: Frame) => void>();
  readonly #opened = new Set<string>();
  #waiting: { readonly gate: string; readonly open: () => void } | null = null;
  #cancelled = false;
  #streamed = { text_delta: '', thought: '' };
  #turns = 0;

  constructor(id: string, title: string, updatedAt: string) {
    this.id = id;
    this.title = title;
    this.updatedAt = updatedAt;
    this.append('session_created', { title, model: null, metadata: {} });
  }

  append(type: string, fields: Readonly<Record<string, unknown>>): void {
    const frame: Frame = { seq: this.#log.length + 1, type, data: { ...this.#common(), ...fields } };
    this.#log.push(frame);
    this.#send(frame);
  }

  /** Everything after `after`, then the text so far of a message that streams, then what comes. */
  follow(after: number, send: (frame: Frame) => void): () => void {
    for (const frame of this.#log.slice(after)) send(frame);
    for (const [type, snapshot] of [
      ['thought', 'thought_snapshot'],
      ['text_delta', 'text_snapshot'],
    ] as const) {
      const text = this.#streamed[type];
      if (text !== '') send({ seq: null, type: snapshot, data: { ...this.#common(), text } });
    }
    this.#followers.add(send);
    return () => this.#followers.delete(send);
  }

  /** Lets the turn pass this gate, now or when it comes to it. */
  open(gate: string): void {
    this.#opened.add(gate);
    if (this.#waiting?.gate === gate) this.#waiting.open();
  }

  cancel(): void {
    if (this.running === null) return;
    this.#cancelled = true;
    this.append('cancel_requested', {});
    this.#waiting?.open();
  }

  async run(question: string, script: Script): Promise<void> {
    this.#turns += 1;
    this.running = `turn-${this.#turns}`;
    this.#cancelled = false;
    this.append('session', { title: this.title, model: 'scripted-1', provider: 'fake', max_steps: 8 });
    if (this.#turns === 1) this.append('message', { role: 'system', content: 'You are …', metadata: {} });
    this.append('message', { message_id: 'm1', role: 'user', content: question, metadata: {} });
    for (const step of script) {
      if (this.#cancelled) break;
      if ('gate' in step) await this.#pass(step.gate);
      else if ('stream' in step) this.#stream(step.stream, step.text);
      else {
        if (step.event === 'message' || step.event === 'attempt_failed')
          this.#streamed = { text_delta: '', thought: '' };
        this.append(step.event, step.fields);
      }
    }
    if (this.#cancelled) this.#endCancelled();
    this.running = null;
  }

  #endCancelled(): void {
    const content = this.#streamed.text_delta;
    if (content !== '')
      this.append('message', { role: 'assistant', content, metadata: { ending: 'cancelled' } });
    this.#streamed = { text_delta: '', thought: '' };
    this.append('done', { status: 'cancelled' });
  }

  #pass(gate: string): Promise<void> {
    if (this.#opened.has(gate)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting = { gate, open: resolve };
    });
  }

  #stream(type: 'text_delta' | 'thought', text: string): void {
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const piece = text.slice(at, at + PIECE_CHARS);
      this.#streamed = { ...this.#streamed, [type]: this.#streamed[type] + piece };
      this.#send({ seq: null, type, data: { ...this.#common(), text: piece } });
    }
  }

  #send(frame: Frame): void {
    for (const follower of this.#followers) follower(frame);
  }

  #common() {
    return {
      session_id: this.id,
      turn_id: this.running,
      agent_name: 'lead',
      step: 1,
      ts: new Date().toISOString(),
    };
  }
}
