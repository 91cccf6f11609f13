/** One session of the in-memory store: its log, and what the log's events project. */
import { type Message, ordinalOf, type Task, type TurnEvent } from '@astroresearch/core';
import type { StoredHead } from './append-rules.ts';
import { changeOf, type RowChange } from './projection.ts';
import { lowerAscii } from './readable-text.ts';
import { refusedAppend } from './refusals.ts';
import { searchedText } from './searched-text.ts';
import type { SessionRow } from './store.ts';

type Lease = { readonly owner: string | null; readonly epoch: number; readonly expiresAtMs: number };

export class MemorySession {
  readonly events: TurnEvent[] = [];
  /** Ascending by number. */
  readonly messages: Message[] = [];
  tasks: readonly Task[] = [];
  lease: Lease = { owner: null, epoch: 0, expiresAtMs: 0 };
  deleted = false;
  row: SessionRow;
  readonly #ids = new Set<Message['id']>();

  constructor(sessionId: string, atMs: number) {
    this.row = {
      sessionId,
      title: '',
      summary: null,
      model: null,
      turnCount: 0,
      status: 'idle',
      metadata: {},
      createdAtMs: atMs,
      updatedAtMs: atMs,
    };
  }

  get head(): StoredHead {
    return { seq: this.events.length, epoch: this.lease.epoch, deleted: this.deleted };
  }

  /** Takes events that were judged good. Throws `StoreError`, with nothing taken, where a message id is taken. */
  append(events: readonly TurnEvent[]): void {
    const changes = events.map(changeOf);
    const added = new Set<Message['id']>();
    for (const change of changes) {
      if (change?.kind !== 'add-message') continue;
      const { id } = change.message;
      if (this.#ids.has(id) || added.has(id)) {
        throw refusedAppend(`message ${id} is stored already; take the next number`);
      }
      added.add(id);
    }
    for (const change of changes) if (change !== null) this.#perform(change);
    for (const event of events) this.events.push(event);
    const last = events.at(-1);
    if (last !== undefined) this.row = { ...this.row, updatedAtMs: last.atMs };
  }

  /** `query` is in the title, the summary or what was said; A–Z and a–z are the same, as for SQL. */
  contains(query: string): boolean {
    const wanted = lowerAscii(query);
    return (
      lowerAscii(this.row.title).includes(wanted) ||
      lowerAscii(this.row.summary ?? '').includes(wanted) ||
      this.messages.some((message) => lowerAscii(searchedText(message) ?? '').includes(wanted))
    );
  }

  #perform(change: RowChange): void {
    switch (change.kind) {
      case 'create-session': {
        const { title, model, metadata } = change;
        this.row = { ...this.row, title, model, metadata };
        break;
      }
      case 'rename-session':
        this.row = { ...this.row, title: change.title };
        break;
      case 'delete-session':
        this.deleted = true;
        this.lease = { owner: null, epoch: this.lease.epoch + 1, expiresAtMs: 0 };
        break;
      case 'begin-turn': {
        const title = this.row.title === '' ? change.title : this.row.title;
        this.row = { ...this.row, title, status: 'running', turnCount: change.turnCount };
        break;
      }
      case 'end-turn':
        this.row = { ...this.row, status: 'idle' };
        break;
      case 'add-message':
        this.#addMessage(change.message);
        break;
      case 'replace-tasks':
        this.tasks = change.tasks;
        break;
      default:
        change satisfies never;
    }
  }

  /** Nearly always at the end. */
  #addMessage(message: Message): void {
    const ordinal = ordinalOf(message.id);
    const before = this.messages.findLastIndex(({ id }) => ordinalOf(id) < ordinal);
    this.messages.splice(before + 1, 0, message);
    this.#ids.add(message.id);
  }
}
