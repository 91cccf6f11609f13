/** The file cache as the log gives it (context.md 6): whatever is read, written, changed and compacted, no stub lies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Compaction, compress } from '../compaction/compress.ts';
import { restoreRoomTokens, withRestored } from '../compaction/restored.ts';
import { type FileFact, fileSnapshot, findFile, isUnchangedAndVisible } from '../files/file-cache.ts';
import { filesToRestore, restoreBlock } from '../files/restore.ts';
import { type Message, type MessageId, messageId, textOf, type UserMessage } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import { isShownWhole } from '../view/view.ts';
import { textHash } from '../watch/text-hash.ts';
import { compactionLimits } from './compaction-limits.ts';
import type { EventBody, TurnEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { agentOf, LEAD, NEW_SESSION, type SessionState } from './state.ts';

const SETTINGS = {
  ...DEFAULT_SETTINGS,
  budget: { softTokens: 4_000, hardTokens: 12_000 },
  compaction: { ...DEFAULT_SETTINGS.compaction, maxMessages: 30 },
};
const PATHS = ['notes.txt', 'w/a.csv', 'w/b.csv', 'w/c.csv'];
const count = (text: string) => Math.ceil(text.length / 4);

/** The larger ones come back cut only. */
function content(path: string, version: number): string {
  const lines = 30 + ((version * 53 + path.length * 17) % 160);
  return Array.from({ length: lines }, (_, nth) => `${path} v${version} row ${nth}`).join('\n');
}

/** A session with its disk: what happens is appended to a log, and the log alone gives the state. */
class World {
  state: SessionState = NEW_SESSION;
  readonly log: TurnEvent[] = [];
  readonly disk = new Map(PATHS.map((path) => [path, content(path, 0)]));
  readonly compactions: { readonly bare: Compaction; readonly whole: Compaction; readonly block: number }[] =
    [];
  readonly #originals = new Map<MessageId, Message>();
  #messages = 0;

  constructor() {
    this.#say({ ...this.#message(), role: 'user', parts: [{ type: 'text', text: 'Look at the files.' }] });
  }

  agent() {
    return agentOf(this.state, LEAD);
  }

  /** As `read_file` does it. */
  read(path: string, whole: boolean): void {
    const text = this.disk.get(path) ?? '';
    const hash = textHash(text);
    const { files, view } = this.agent();
    const known = findFile(files, path);
    const unchanged = isUnchangedAndVisible(known, hash, (id) => isShownWhole(view, id));
    const shown = unchanged ? `unchanged, see ${known?.shownBy}` : whole ? text : text.slice(0, 80);
    this.#call(
      'read_file',
      { path },
      shown,
      { path, hash, bytes: text.length, did: 'read', whole },
      unchanged,
    );
  }

  write(path: string, version: number): void {
    const text = content(path, version);
    this.disk.set(path, text);
    const fact = { path, hash: textHash(text), bytes: text.length, did: 'wrote' as const, whole: false };
    this.#call('write_file', { path, content: text }, 'Written.', fact, false);
  }

  compact(narrative: string | null): void {
    const agent = this.agent();
    const limits = compactionLimits(agent, SETTINGS);
    const steps = compress([...agent.view], {
      limits,
      language: 'en',
      tasks: [],
      count,
      nextId: () => this.#nextId(),
      agentName: LEAD,
      turnIndex: 1,
      step: 1,
      nowMs: 1,
    });
    let next = steps.next();
    while (next.done !== true) {
      const need = next.value;
      next = steps.next(
        need.kind === 'originals'
          ? {
              kind: 'originals',
              messages: need.ids.flatMap((id) => this.#originals.get(id) ?? []),
            }
          : narrative === null
            ? { kind: 'none' }
            : { kind: 'narrative', text: narrative },
      );
    }
    this.#append(next.value, agent.view.length);
  }

  #append(bare: Compaction, messagesBefore: number): void {
    const agent = this.agent();
    const limits = compactionLimits(agent, SETTINGS);
    const chosen = filesToRestore(fileSnapshot(agent.files), [], (id) => isShownWhole(bare.messages, id));
    const again = chosen.map((file) => {
      const text = this.disk.get(file.path) ?? '';
      return { file, content: text, hash: textHash(text) };
    });
    const block = restoreBlock(again, restoreRoomTokens(bare, limits), count, 'en');
    const message: UserMessage | null =
      block === null
        ? null
        : {
            ...this.#message(),
            role: 'user',
            kind: 'restored_file',
            parts: [{ type: 'text', text: block.text }],
            tokens: countMessage([{ type: 'text', text: block.text }], count),
          };
    const whole = message === null ? bare : withRestored(bare, message, limits);
    const restored = (block?.files ?? []).map(({ path, whole: isWhole }): FileFact => {
      const text = this.disk.get(path) ?? '';
      return { path, hash: textHash(text), bytes: text.length, did: 'read', whole: isWhole };
    });
    this.compactions.push({ bare, whole, block: (message?.tokens ?? 0) * limits.scale });
    const { outcome, layers, tokensBefore, tokensAfter, success, edits } = whole;
    this.#event({
      type: 'compaction',
      trigger: 'auto',
      outcome,
      layers,
      messagesBefore,
      messagesAfter: whole.messages.length,
      tokensBefore,
      tokensAfter,
      success,
      breaker: 'closed',
      breakerEvents: [],
      request: agent.requests + 1,
      edits,
      ...(message === null ? {} : { restored, restoredBy: message.id }),
    });
    for (const appended of whole.appended) this.#say(appended);
  }

  #call(name: string, args: object, result: string, file: FileFact, unchanged: boolean): void {
    const toolCallId = `c${this.#messages}`;
    const call = { type: 'tool-call' as const, toolCallId, name, arguments: JSON.stringify(args) };
    this.#say({ ...this.#message(), role: 'assistant', parts: [call], ending: 'tool-calls' });
    const message = this.#counted({
      ...this.#message(),
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId, name, status: 'ok', text: result }],
    });
    this.#event({
      type: 'tool-result',
      toolCallId,
      name,
      status: 'ok',
      elapsedMs: 1,
      truncated: false,
      file,
      message,
      ...(unchanged ? { unchanged: true } : {}),
    });
  }

  #say(message: Message): void {
    this.#event({ type: 'message', message: this.#counted(message) });
  }

  #event(body: EventBody): void {
    const seq = this.log.length + 1;
    const event = { seq, turnId: 't1', agentName: LEAD, step: 1, atMs: seq, ...body } as TurnEvent;
    if (event.type === 'message' || event.type === 'tool-result') {
      this.#originals.set(event.message.id, event.message);
    }
    this.log.push(event);
    this.state = evolve(this.state, event);
  }

  #counted<M extends Message>(message: M): M {
    return { ...message, tokens: countMessage(message.parts, count) };
  }

  #message() {
    return { id: this.#nextId(), agentName: LEAD, turnIndex: 1, step: 1, tokens: 0, createdAtMs: 1 };
  }

  #nextId(): MessageId {
    this.#messages += 1;
    return messageId(this.#messages);
  }
}

const operation = fc.record({
  path: fc.constantFrom(...PATHS),
  kind: fc.constantFrom('read', 'read', 'read', 'lines', 'write', 'change', 'compact'),
  narrative: fc.constantFrom(null, 'The agent looked at files.'),
});

const session = fc.array(operation, { minLength: 10, maxLength: 60, size: 'max' }).map((operations) => {
  const world = new World();
  const moments = operations.map(({ path, kind, narrative }, index) => {
    if (kind === 'read' || kind === 'lines') world.read(path, kind === 'read');
    else if (kind === 'write') world.write(path, index + 1);
    else if (kind === 'change') world.disk.set(path, content(path, index + 1));
    else world.compact(narrative);
    return { agent: world.agent(), disk: new Map(world.disk) };
  });
  return { world, moments };
});

const RUNS = { numRuns: 40 };

describe('the file cache of a log', () => {
  it('vouches for a file only where its whole present content stands in the message that it names', () => {
    let vouched = 0;
    fc.assert(
      fc.property(session, ({ moments }) => {
        for (const { agent, disk } of moments) {
          for (const [path, text] of disk) {
            const entry = findFile(agent.files, path);
            const visible = (id: MessageId) => isShownWhole(agent.view, id);
            if (!isUnchangedAndVisible(entry, textHash(text), visible)) continue;
            vouched += 1;
            const message = agent.view.toArray().find(({ id }) => id === entry?.shownBy);
            expect(message === undefined ? '' : textOf(message)).toContain(text);
          }
        }
      }),
      RUNS,
    );
    expect(vouched).toBeGreaterThan(100);
  });

  it('names no message that a compaction has masked, cut or replaced', () => {
    fc.assert(
      fc.property(session, ({ moments }) => {
        for (const { agent } of moments) {
          for (const { shownBy } of agent.files.entries) {
            expect(shownBy !== null && isShownWhole(agent.view, shownBy)).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('lets files come back in a quarter of what was freed, and no compaction fail or refill for them', () => {
    let restored = 0;
    fc.assert(
      fc.property(session, ({ world }) => {
        for (const { bare, whole, block } of world.compactions) {
          if (whole === bare) continue;
          restored += 1;
          expect(block).toBeLessThanOrEqual((bare.tokensBefore - bare.tokensAfter) / 4);
          expect(whole.tokensAfter).toBeLessThanOrEqual(SETTINGS.budget.softTokens);
          expect(whole.success).toBe(true);
        }
      }),
      RUNS,
    );
    expect(restored).toBeGreaterThan(30);
  });

  it('is the same after a restart, from the log alone', () => {
    fc.assert(
      fc.property(session, ({ world }) => {
        const log = JSON.parse(JSON.stringify(world.log)) as TurnEvent[];
        const again = log.reduce(evolve, NEW_SESSION);
        expect(agentOf(again, LEAD).files).toEqual(world.agent().files);
      }),
      RUNS,
    );
  });

  it('says nothing of what another agent was shown', () => {
    const world = new World();
    world.read('notes.txt', true);
    const other = world.log.map((event) => ({ ...event, agentName: 'sub_1' }));
    const state = other.reduce(evolve, NEW_SESSION);
    expect(findFile(agentOf(state, 'sub_1').files, 'notes.txt')?.whole).toBe(true);
    expect(agentOf(state, LEAD).files.entries).toEqual([]);
  });

  it('knows of a written file through its call: it can come back once those arguments are cut', () => {
    const world = new World();
    world.write('w/a.csv', 3);
    const caller = world.agent().view.toArray().at(-2);
    expect(findFile(world.agent().files, 'w/a.csv')).toMatchObject({ shownBy: caller?.id, edited: true });
    for (let nth = 0; nth < 12; nth++) {
      world.disk.set('w/c.csv', content('w/c.csv', nth + 20));
      world.read('w/c.csv', true);
    }
    world.compact(null);
    const block = world.agent().view.toArray().at(-1);
    expect(block).toMatchObject({ kind: 'restored_file' });
    expect(textOf(block as Message)).toContain('[Restored after compaction: w/a.csv]');
  });
});
