import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, ordinalOf } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '../manual-clock.ts';
import { openSqliteStore } from '../store/sqlite.ts';
import { storedText } from './original.ts';
import { parseRef } from './ref.ts';
import { createWorld, refsOf, type Said, textsOf, type World } from './stored-session.contract.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('造父变星的距离 🌌', 'NGC 1068', '', 'e\u0301'.repeat(20)),
);
const agentName = fc.constantFrom('lead', 'lead', 'sub_1');
const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({ role: fc.constantFrom('system' as const, 'user' as const), text, agentName }),
  fc.record({
    role: fc.constant('assistant' as const),
    text,
    agentName,
    calls: fc.array(fc.record({ name: fc.constant('read_file'), arguments: text }), { maxLength: 2 }),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    text: fc.array(text, { maxLength: 30 }).map((pieces) => pieces.join('|')),
    agentName,
    cut: fc.constant(150),
  }),
);

/** The original of each message, as it was said. */
function originalOf(message: Message, one: Said): string {
  return message.role === 'tool' ? one.text : storedText(message);
}

/** Follows `next` to the end; gives what came of each message. */
async function readAll(world: World, ref: string, limitChars: number, itemChars = 0) {
  const pages: Map<string, string> = new Map();
  let next: { ref: string; offset: number } | null = { ref, offset: 0 };
  while (next !== null) {
    const outcome = await world.ask({ ...next, limitChars, itemChars });
    if (outcome.kind !== 'found') return expect.fail(JSON.stringify(outcome));
    const chars = outcome.items.reduce((sum, item) => sum + [...item.text].length + itemChars, 0);
    expect(chars).toBeLessThanOrEqual(Math.max(limitChars, itemChars + 1));
    for (const item of outcome.items) {
      expect(item.offset).toBe([...(pages.get(item.ref) ?? '')].length);
      pages.set(item.ref, (pages.get(item.ref) ?? '') + item.text);
    }
    ({ next } = outcome);
  }
  return pages;
}

describe('recall by ref', () => {
  it('gives every stored message whole: its pages, one after another, are the original (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 90 }),
        async (all, size) => {
          const world = createWorld();
          const messages = await world.put('s', all);
          for (const [index, message] of messages.entries()) {
            if (message.agentName !== 'lead') continue;
            const pages = await readAll(world, message.id, size);
            expect([...pages]).toEqual([[message.id, originalOf(message, all[index] as Said)]]);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('gives the messages of any range, all of this agent and no others (property)', async () => {
    const sizes = fc.record({
      limit: fc.integer({ min: 1, max: 300 }),
      item: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        sizes,
        async (all, a, b, { limit, item }) => {
          const world = createWorld();
          const messages = await world.put('s', all);
          const ref = `m${(a % all.length) + 1}-m${(b % all.length) + 1}`;
          const range = parseRef(ref) ?? expect.fail(ref);
          const wanted = messages.filter(
            ({ id, agentName }) =>
              agentName === 'lead' &&
              ordinalOf(id) >= ordinalOf(range.from) &&
              ordinalOf(id) <= ordinalOf(range.to),
          );
          if (wanted.length === 0) {
            expect(await world.ask({ ref })).toMatchObject({ reason: 'unknown-ref' });
            return;
          }
          expect([...(await readAll(world, ref, limit, item))]).toEqual(
            wanted.map((message) => [
              message.id,
              originalOf(message, all[ordinalOf(message.id) - 1] as Said),
            ]),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('shows of a call its name and arguments', async () => {
    const world = createWorld();
    await world.put('s', [
      {
        role: 'assistant',
        text: 'Let me look.',
        calls: [{ name: 'read_file', arguments: '{"path":"a.txt"}' }],
      },
    ]);
    expect(textsOf(await world.ask({ ref: 'm1' }))).toEqual(['Let me look.\n[read_file {"path":"a.txt"}]']);
  });

  it('reads ranges of many messages', async () => {
    const world = createWorld();
    await world.put(
      's',
      Array.from({ length: 130 }, (_, index) => ({ role: 'user', text: `number ${index}` }) as const),
    );
    const outcome = await world.ask({ ref: 'm2-m130', limitChars: 100_000 });
    expect(refsOf(outcome)).toHaveLength(129);
    expect(outcome).toMatchObject({ next: null });
  });

  it('counts an offset through a range', async () => {
    const world = createWorld();
    await world.put('s', [
      { role: 'user', text: '12345' },
      { role: 'user', text: '67890' },
    ]);
    expect(await world.ask({ ref: 'm1-m2', offset: 7 })).toMatchObject({
      items: [{ ref: 'm2', text: '890', offset: 2 }],
    });
    expect(await world.ask({ ref: 'm1-m2', offset: 10 })).toEqual({
      kind: 'refused',
      reason: 'past-end',
      ref: 'm1-m2',
      offset: 10,
      totalChars: 10,
    });
  });

  it('says where a whole output is damaged or missing, and gives what the message has', async () => {
    for (const fault of ['damaged', 'missing'] as const) {
      const world = createWorld();
      const [, cut] = await world.put('s', [
        { role: 'user', text: 'read' },
        { role: 'tool', text: 'x'.repeat(900), cut: 200 },
      ]);
      world.outputs.read = async () => ({ kind: fault });
      const stored = storedText(cut as Message);
      const outcome = await world.ask({ ref: 'm2' });
      expect(outcome).toMatchObject({
        items: [{ fault, text: stored, totalChars: stored.length }],
        next: null,
      });
      expect(await world.ask({ ref: 'm2', offset: 500 })).toMatchObject({
        reason: 'past-end',
        totalChars: stored.length,
      });
    }
  });

  it.each([
    [{}, { reason: 'nothing-asked' }],
    [{ ref: ' ', query: '' }, { reason: 'nothing-asked' }],
    [{ ref: 'the third' }, { reason: 'malformed-ref', ref: 'the third' }],
    [{ ref: 'm2' }, { reason: 'unknown-ref', ref: 'm2', nearest: ['m1', 'm3'] }],
    [{ ref: 'm99' }, { reason: 'unknown-ref', ref: 'm99', nearest: ['m3'] }],
    [
      { ref: 'm3', offset: 5 },
      { reason: 'past-end', ref: 'm3', totalChars: 5 },
    ],
  ])('refuses %j', async (request, refusal) => {
    const world = createWorld();
    await world.put('s', [
      { role: 'user', text: 'first' },
      { role: 'user', text: 'other', agentName: 'sub_1' },
      { role: 'user', text: 'third' },
    ]);
    expect(await world.ask(request)).toMatchObject({ kind: 'refused', ...refusal });
  });

  it('has nothing of a session that is not there', async () => {
    const world = createWorld();
    expect(await world.ask({ ref: 'm1' })).toEqual({
      kind: 'refused',
      reason: 'unknown-ref',
      ref: 'm1',
      nearest: [],
    });
    expect(await world.ask({ query: 'a' })).toMatchObject({ items: [], total: 0 });
  });

  it('stops when nobody waits any more', async () => {
    const world = createWorld();
    await world.put('s', [{ role: 'user', text: 'first' }]);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(world.ask({ ref: 'm1', signal })).rejects.toThrow('gone');
    await expect(world.ask({ query: 'first', signal })).rejects.toThrow('gone');
  });
});

describe('recall', () => {
  it('gives nothing of another session or agent, whatever is asked (property)', async () => {
    const secret = (said: Said, word: string): Said => ({
      ...said,
      text: `${said.text} ${word} ${said.text}`,
    });
    const request = fc.record(
      {
        ref: fc.oneof(fc.constantFrom('m1', 'm3', 'm1-m20', 'm2-9'), fc.string({ maxLength: 6 })),
        query: fc.oneof(
          fc.constantFrom('xylograph', 'xylograph-442 the', '星系', 'o'),
          fc.string({ maxLength: 8 }),
        ),
        offset: fc.nat({ max: 50 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { maxLength: 8 }),
        fc.array(said, { maxLength: 8 }),
        request,
        async (here, there, asked) => {
          const world = createWorld();
          await world.put(
            's',
            here.map((one) => (one.agentName === 'lead' ? one : secret(one, 'xylograph-442'))),
          );
          await world.put(
            'other',
            there.map((one) => secret(one, 'xylograph-442')),
          );
          const outcome = await world.ask({ ...asked, limitChars: 50_000 });
          expect(textsOf(outcome).join('\n')).not.toContain('xylograph-442');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('gives the same from a database file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recall-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = createWorld(openSqliteStore({ path: join(folder, 'a.db'), clock: createManualClock() }));
    const memory = createWorld();
    onTestFinished(() => file.store.close());
    const all: readonly Said[] = [
      { role: 'system', text: 'You know the Hubble constant.' },
      { role: 'user', text: '哈勃常数是多少？ Hubble' },
      { role: 'assistant', text: '', calls: [{ name: 'read_file', arguments: '{"path":"hubble.txt"}' }] },
      { role: 'tool', text: `HUBBLE ${'x '.repeat(400)} 哈勃常数 73.04 ${'y '.repeat(400)}`, cut: 300 },
      { role: 'user', text: 'ＨＵＢＢＬＥ', agentName: 'sub_1' },
      { role: 'assistant', text: 'Le Élan de Ｈubble' },
    ];
    for (const world of [file, memory]) await world.put('s', all);
    const requests = [
      { ref: 'm1-m6' },
      { query: 'hubble' },
      { query: '哈勃常数' },
      { query: 'élan ｈｕｂｂｌｅ' },
      { query: 'hubble', agentName: '*' },
    ];
    for (const request of requests) {
      const outcome = await file.ask(request);
      expect(outcome).toEqual(await memory.ask(request));
      expect(textsOf(outcome)).not.toEqual([]);
    }
  });
});
