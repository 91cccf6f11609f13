/** What every store keeps, as tests; each implementation's test file runs them on itself (store.ts, Contract). */
import { type MessageId, messageId, type Task, type ToolMessage, type TurnEvent } from '@astroresearch/core';
import { generatedSession } from '@astroresearch/core/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyLog } from './generated-log.contract.ts';
import { type SearchTerm, type Store, StoreError } from './store.ts';

const TTL_MS = 15_000;

/** `openStore` gives an empty store; the suite closes it. */
export function storeContract(name: string, openStore: () => Store): void {
  describe(`${name} keeps the store contract:`, () => {
    let store: Store;
    beforeEach(() => {
      store = openStore();
    });
    afterEach(() => store.close());

    const create = (sessionId: string, event: Partial<TurnEvent> = {}) =>
      store.append(sessionId, 0, 0, [created(event)]);
    const readAll = (sessionId: string) => store.readEvents(sessionId, 0, 10_000);
    const readAllMessages = (sessionId: string) =>
      store.readMessages(sessionId, { agentName: '*', after: null, limit: 10_000 });
    const find = async (sessionId: string, ...terms: SearchTerm[]) => {
      const span = { agentName: '*', from: messageId(1), to: messageId(1000), limit: 100 };
      const found = await store.findMessages(sessionId, { ...span, terms, exceptTool: 'recall_context' });
      return found.map(({ id }) => id);
    };
    const titles = async (query: string | null) => {
      const { items } = await store.listSessions({ limit: 100, cursor: null, query });
      return items.map(({ title }) => title);
    };

    describe('append', () => {
      it('takes the first events of a session at sequence number 0', async () => {
        const events = [created(), said(2, 1, 'hello')];
        expect(await store.append('s', 0, 0, events)).toEqual({ kind: 'appended' });
        expect(await readAll('s')).toEqual(events);
        expect(await store.readHead('s')).toEqual({ seq: 2, epoch: 0, messages: 1 });
      });

      it('refuses events behind or before the end of the log and says where it ends', async () => {
        await store.append('s', 0, 0, [created(), said(2, 1, 'a')]);
        expect(await store.append('s', 1, 0, [said(2, 2, 'b')])).toEqual({ kind: 'conflict', seq: 2 });
        expect(await store.append('s', 5, 0, [said(6, 2, 'b')])).toEqual({ kind: 'conflict', seq: 2 });
        expect(await create('s')).toEqual({ kind: 'conflict', seq: 2 });
        expect(await store.append('none', 3, 0, [said(4, 1, 'b')])).toEqual({ kind: 'conflict', seq: 0 });
        expect(await readAll('s')).toHaveLength(2);
        expect(await store.readHead('none')).toBeNull();
      });

      it('lets exactly one of several appends at the same place win', async () => {
        await create('s');
        const outcomes = await Promise.all(
          [1, 2, 3].map((n) => store.append('s', 1, 0, [said(2, n, `by ${n}`)])),
        );
        expect(outcomes).toEqual([
          { kind: 'appended' },
          { kind: 'conflict', seq: 2 },
          { kind: 'conflict', seq: 2 },
        ]);
        expect((await readAllMessages('s')).map(({ id }) => id)).toEqual(['m1']);
      });

      it('shows an append the effect of one that was asked for just before', async () => {
        const outcomes = await Promise.all([
          create('s'),
          store.append('s', 1, 0, [said(2, 1, 'a')]),
          store.append('s', 2, 0, [said(3, 2, 'b')]),
          create('other'),
        ]);
        expect(outcomes).toEqual(Array.from({ length: 4 }, () => ({ kind: 'appended' })));
        expect(await store.readHead('s')).toEqual({ seq: 3, epoch: 0, messages: 2 });
      });

      it('does not let a refused append touch those that were asked for at the same time', async () => {
        await store.append('s', 0, 0, [created(), said(2, 1, 'a')]);
        const [before, bad, after] = await Promise.allSettled([
          create('before'),
          store.append('s', 2, 0, [said(3, 2, 'b'), said(4, 1, 'a number that is taken')]),
          create('after'),
        ]);
        expect(before).toEqual({ status: 'fulfilled', value: { kind: 'appended' } });
        expect(after).toEqual({ status: 'fulfilled', value: { kind: 'appended' } });
        expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) });
        expect(await readAll('s')).toHaveLength(2);
        expect(await readAllMessages('s')).toHaveLength(1);
        expect(await store.readHead('s')).toEqual({ seq: 2, epoch: 0, messages: 1 });
      });

      it.each<[string, number, readonly TurnEvent[]]>([
        ['a gap in the numbers', 0, [created(), said(3, 1, 'a')]],
        ['numbers that do not follow the expected one', 0, [created({ seq: 2 })]],
        ['a log that does not begin with session-created', 0, [said(1, 1, 'a')]],
        ['a second session-created', 0, [created(), created({ seq: 2 })]],
        ['a message without a number', 0, [created(), said(2, 0, 'a')]],
        ['the same message twice', 0, [created(), said(2, 1, 'a'), said(3, 1, 'a')]],
        ['what is not JSON', 0, [created({ metadata: { size: 1n } })]],
      ])('rejects %s and writes nothing', async (_, expectedSeq, events) => {
        const attempt = store.append('s', expectedSeq, 0, events);
        await expect(attempt).rejects.toBeInstanceOf(StoreError);
        expect(await store.readHead('s')).toBeNull();
        expect(await titles(null)).toEqual([]);
      });

      it('writes nothing for no events', async () => {
        await create('s');
        expect(await store.append('s', 1, 0, [])).toEqual({ kind: 'appended' });
        expect(await store.append('s', 0, 0, [])).toEqual({ kind: 'conflict', seq: 1 });
        expect(await readAll('s')).toHaveLength(1);
      });
    });

    describe('reading', () => {
      it('gives back exactly the events and messages of any log', async () => {
        let sessions = 0;
        await fc.assert(
          fc.asyncProperty(anyLog, async (log) => {
            sessions += 1;
            const sessionId = `any-${sessions}`;
            await store.append(sessionId, 0, 0, log);
            expect(await readAll(sessionId)).toStrictEqual(log);
            expect(await readAllMessages(sessionId)).toStrictEqual(messagesOf(log));
          }),
          { numRuns: 150 },
        );
      });

      it('gives back exactly what a turn engine wrote, event by event', async () => {
        let sessions = 0;
        await fc.assert(
          fc.asyncProperty(generatedSession, async ({ log, state }) => {
            sessions += 1;
            const sessionId = `turns-${sessions}`;
            await Promise.all(log.map((event, index) => store.append(sessionId, index, 0, [event])));
            expect(await readAll(sessionId)).toStrictEqual(log);
            expect(await store.readSession(sessionId)).toMatchObject({ turnCount: state.turnCount });
          }),
          { numRuns: 30 },
        );
      });

      it('reads events in pages behind a number', async () => {
        const log = [created(), said(2, 1, 'a'), said(3, 2, 'b'), said(4, 3, 'c')];
        await store.append('s', 0, 0, log);
        expect(await store.readEvents('s', 0, 2)).toEqual(log.slice(0, 2));
        expect(await store.readEvents('s', 2, 10)).toEqual(log.slice(2));
        expect(await store.readEvents('s', 4, 10)).toEqual([]);
      });

      it('reads messages in pages, in the order of their numbers, of one agent or all', async () => {
        const log = [
          created(),
          said(2, 9, 'nine'),
          said(3, 10, 'ten', 'sub_1'),
          said(4, 8, 'eight'),
          said(5, 11, 'eleven'),
        ];
        await store.append('s', 0, 0, log);
        const ids = async (agentName: string, after: MessageId | null, limit: number) =>
          (await store.readMessages('s', { agentName, after, limit })).map(({ id }) => id);
        expect(await ids('*', null, 10)).toEqual(['m8', 'm9', 'm10', 'm11']);
        expect(await ids('*', 'm9', 1)).toEqual(['m10']);
        expect(await ids('lead', 'm8', 2)).toEqual(['m9', 'm11']);
        expect(await ids('sub_1', null, 10)).toEqual(['m10']);
        expect(await ids('nobody', null, 10)).toEqual([]);
        expect((await store.readHead('s'))?.messages).toBe(11);
      });

      it('finds nothing of a session that was never made', async () => {
        expect(await store.readHead('none')).toBeNull();
        expect(await store.readSession('none')).toBeNull();
        expect(await readAll('none')).toEqual([]);
        expect(await readAllMessages('none')).toEqual([]);
        expect(await store.readTasks('none')).toEqual([]);
        expect(await find('none', ['hello'])).toEqual([]);
      });

      it('reads the messages between two numbers, both included, of one agent or all', async () => {
        const log = [
          created(),
          said(2, 3, 'three'),
          said(3, 4, 'four', 'sub_1'),
          said(4, 5, 'five'),
          said(5, 9, 'nine'),
        ];
        await store.append('s', 0, 0, log);
        const ids = async (agentName: string, from: MessageId, to: MessageId, limit = 10) =>
          (await store.readMessageRange('s', { agentName, from, to, limit })).map(({ id }) => id);
        expect(await ids('*', 'm3', 'm5')).toEqual(['m3', 'm4', 'm5']);
        expect(await ids('lead', 'm3', 'm5')).toEqual(['m3', 'm5']);
        expect(await ids('lead', 'm4', 'm9', 1)).toEqual(['m5']);
        expect(await ids('sub_1', 'm5', 'm9')).toEqual([]);
        expect(await ids('*', 'm9', 'm3')).toEqual([]);
      });

      it('reads the results whose whole output lies elsewhere, newest first', async () => {
        const named: TurnEvent = toolSaid(5, 4, 'x', 'a "fullOutput":{"sha256":1}');
        const log = [created(), cutResult(2, 1), toolSaid(3, 2, 'short'), cutResult(4, 3), named];
        await store.append('s', 0, 0, [...log, cutResult(6, 5, 'sub_1')]);
        const ids = async (agentName: string, to: MessageId, limit = 10) =>
          (await store.readCutResults('s', { agentName, from: 'm1', to, limit })).map(({ id }) => id);
        expect(await ids('lead', 'm9')).toEqual(['m3', 'm1']);
        expect(await ids('*', 'm9')).toEqual(['m5', 'm3', 'm1']);
        expect(await ids('*', 'm9', 1)).toEqual(['m5']);
        expect(await ids('*', 'm2')).toEqual(['m1']);
      });
    });

    describe('finding messages', () => {
      it('puts those with most terms first, then the newest', async () => {
        await store.append('s', 0, 0, [
          created(),
          said(2, 1, 'the Hubble constant'),
          said(3, 2, 'a constant'),
          said(4, 3, 'hubble, again'),
          said(5, 4, 'neither'),
        ]);
        expect(await find('s', ['hubble'], ['constant'])).toEqual(['m1', 'm3', 'm2']);
        expect(await find('s', ['hubble', 'constant'])).toEqual(['m3', 'm2', 'm1']);
        expect(await find('s')).toEqual([]);
      });

      it('takes A–Z as a–z and every other character for itself, in words of any script', async () => {
        const texts = ['100% of_it', '1000 of it', '造父变星的距离', 'É', 'back\\slash', "it's"];
        await store.append('s', 0, 0, [
          created(),
          ...texts.map((text, index) => said(index + 2, index + 1, text)),
        ]);
        expect(await find('s', ['0% OF_'])).toEqual(['m1']);
        expect(await find('s', ['变星'])).toEqual(['m3']);
        expect(await find('s', ['é'])).toEqual([]);
        expect(await find('s', ['é', 'É'])).toEqual(['m4']);
        expect(await find('s', ['\\s'])).toEqual(['m5']);
        expect(await find('s', ["'"])).toEqual(['m6']);
      });

      it('reads names and arguments of calls, and neither calls nor results of one tool', async () => {
        const call = (name: string, args: string) =>
          ({ type: 'tool-call', toolCallId: 'function', name, arguments: args }) as const;
        const asked: TurnEvent = {
          ...said(2, 1, ''),
          type: 'message',
          message: {
            ...messageOf(1, 'lead'),
            role: 'assistant',
            ending: 'tool-calls',
            parts: [
              call('query_simbad', '{"object":"星 \\"M31\\""}'),
              call('recall_context', '{"query":"quasar"}'),
            ],
          },
        };
        await store.append('s', 0, 0, [created(), asked, toolSaid(3, 2, 'a quasar', 'recall_context')]);
        expect(await find('s', ['SIMBAD'])).toEqual(['m1']);
        expect(await find('s', ['object":"星 \\"m31'])).toEqual(['m1']);
        expect(await find('s', ['quasar'])).toEqual([]);
        expect(await find('s', ['recall_context'])).toEqual([]);
        expect(await find('s', ['function'], ['arguments'], ['toolCallId'])).toEqual([]);
      });

      it('reads no system prompts, no reasoning, nothing of other sessions, agents or numbers', async () => {
        const odd = (seq: number, ordinal: number, role: 'system' | 'assistant'): TurnEvent => ({
          ...said(seq, ordinal, ''),
          type: 'message',
          message: {
            ...messageOf(ordinal, 'lead'),
            ...(role === 'system'
              ? { role, parts: [{ type: 'text', text: 'pulsar' }] }
              : { role, ending: 'stop', parts: [{ type: 'reasoning', text: 'pulsar' }] }),
          },
        });
        await store.append('s', 0, 0, [
          created(),
          odd(2, 1, 'system'),
          odd(3, 2, 'assistant'),
          said(4, 3, 'pulsar', 'sub_1'),
          said(5, 4, 'pulsar'),
          said(6, 5, 'pulsar'),
        ]);
        await store.append('other', 0, 0, [created(), said(2, 1, 'pulsar')]);
        expect(await find('s', ['pulsar'])).toEqual(['m5', 'm4', 'm3']);
        const span = { agentName: 'lead', from: 'm1', to: 'm4', limit: 9 } as const;
        const terms = [['pulsar']] as const;
        const found = await store.findMessages('s', { ...span, terms, exceptTool: '' });
        expect(found.map(({ id }) => id)).toEqual(['m4']);
        expect(await store.findMessages('s', { ...span, terms, exceptTool: '', limit: 0 })).toEqual([]);
      });
    });

    describe('the session row', () => {
      it('begins idle, with what session-created says', async () => {
        await create('s', { title: 'Cepheids', model: 'qwen', metadata: { project: { n: 1 } }, atMs: 7 });
        expect(await store.readSession('s')).toStrictEqual({
          sessionId: 's',
          title: 'Cepheids',
          summary: null,
          model: 'qwen',
          turnCount: 0,
          status: 'idle',
          metadata: { project: { n: 1 } },
          createdAtMs: 7,
          updatedAtMs: 7,
        });
      });

      it('is running from session to done, and counts turns', async () => {
        await store.append('s', 0, 0, [created(), turnBegan(2, { turnIndex: 1, atMs: 20 })]);
        expect(await store.readSession('s')).toMatchObject({
          status: 'running',
          turnCount: 1,
          updatedAtMs: 20,
        });
        await store.append('s', 2, 0, [done(3), turnBegan(4, { turnIndex: 2 }), done(5, { atMs: 50 })]);
        expect(await store.readSession('s')).toMatchObject({ status: 'idle', turnCount: 2, updatedAtMs: 50 });
        expect(await store.runningSessions()).toEqual([]);
      });

      it('is not idle because a sub-agent is done', async () => {
        await store.append('s', 0, 0, [
          created(),
          turnBegan(2, { turnIndex: 3 }),
          turnBegan(3, { turnIndex: 1, agentName: 'sub_1' }),
          done(4, { agentName: 'sub_1' }),
        ]);
        expect(await store.readSession('s')).toMatchObject({ status: 'running', turnCount: 3 });
        expect(await store.runningSessions()).toEqual(['s']);
      });

      it('takes the title of a turn only while it has none', async () => {
        await store.append('s', 0, 0, [created({ title: '' }), turnBegan(2, { title: '' })]);
        expect((await store.readSession('s'))?.title).toBe('');
        await store.append('s', 2, 0, [turnBegan(3, { title: 'first' }), turnBegan(4, { title: 'second' })]);
        expect((await store.readSession('s'))?.title).toBe('first');
        await store.append('s', 4, 0, [
          { ...stamp(5), type: 'session-updated', title: '哈勃常数' },
          turnBegan(6, { title: 'third' }),
        ]);
        expect((await store.readSession('s'))?.title).toBe('哈勃常数');
      });

      it('shows text that no client can hold as text that every client can', async () => {
        await create('s', { title: 'a\ud800b\0c' });
        expect((await store.readSession('s'))?.title).toBe('a\ufffdb\ufffdc');
      });
    });

    describe('tasks', () => {
      const plan: readonly Task[] = [
        { id: '2', content: '读论文', status: 'in_progress', blockedBy: [] },
        { id: '1', content: 'plot', status: 'pending', blockedBy: ['2'] },
      ];

      it('are the newest plan, whole and in its order', async () => {
        await store.append('s', 0, 0, [created(), { ...stamp(2), type: 'tasks', tasks: plan }]);
        expect(await store.readTasks('s')).toStrictEqual(plan);
        await store.append('s', 2, 0, [{ ...stamp(3), type: 'tasks', tasks: plan.slice(1) }]);
        expect(await store.readTasks('s')).toStrictEqual(plan.slice(1));
        await store.append('s', 3, 0, [{ ...stamp(4), type: 'tasks', tasks: [] }]);
        expect(await store.readTasks('s')).toEqual([]);
      });

      it('may repeat an id', async () => {
        const twice = plan.map((task) => ({ ...task, id: 'same' }));
        await store.append('s', 0, 0, [created(), { ...stamp(2), type: 'tasks', tasks: twice }]);
        expect(await store.readTasks('s')).toStrictEqual(twice);
      });
    });

    describe('the list of sessions', () => {
      it('is newest first, in pages that neither repeat nor miss one while sessions are added', async () => {
        for (const [sessionId, atMs] of [
          ['a', 10],
          ['b', 30],
          ['c', 20],
          ['d', 20],
        ] as const) {
          await create(sessionId, { title: sessionId, atMs });
        }
        expect(await titles(null)).toEqual(['b', 'd', 'c', 'a']);

        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await store.listSessions({ limit: 1, cursor, query: null });
          seen.push(...page.items.map(({ title }) => title));
          cursor = page.nextCursor;
          if (seen.length === 1) await create('e', { title: 'e', atMs: 40 });
        } while (cursor !== null);
        expect(seen).toEqual(['b', 'd', 'c', 'a']);
      });

      it('has no next page behind the last session', async () => {
        await create('a');
        const page = await store.listSessions({ limit: 1, cursor: null, query: null });
        expect(page).toMatchObject({ items: [{ sessionId: 'a' }], nextCursor: null });
      });

      it('is empty behind a cursor that it never gave out', async () => {
        await create('a');
        for (const cursor of ['nonsense', '', 'bm90IGE=']) {
          expect(await store.listSessions({ limit: 5, cursor, query: null })).toEqual({
            items: [],
            nextCursor: null,
          });
        }
      });

      it('can be searched by title and by message, Chinese included, and ASCII letters in either case', async () => {
        await store.append('a', 0, 0, [created({ title: 'Hubble tension' }), said(2, 1, '造父变星的距离')]);
        await store.append('b', 0, 0, [created({ title: '星系红移' }), said(2, 1, 'the HUBBLE constant')]);
        await store.append('c', 0, 0, [created({ title: 'other' }), said(2, 1, 'M31 at 785 kpc')]);
        expect((await titles('hubble')).sort()).toEqual(['Hubble tension', '星系红移']);
        expect(await titles('变星')).toEqual(['Hubble tension']);
        expect(await titles('红移')).toEqual(['星系红移']);
        expect(await titles('m31 AT')).toEqual(['other']);
        expect(await titles('quasar')).toEqual([]);
      });

      it('takes every character of a query for itself', async () => {
        await create('a', { title: '100% of_it \\ "quoted" \'too\'' });
        await create('b', { title: '1000 of it' });
        for (const query of ['100%', 'of_it', '\\', '"quoted"', "'too'", '% of_']) {
          expect(await titles(query)).toEqual(['100% of_it \\ "quoted" \'too\'']);
        }
      });

      it('is searched by any characters in a row, however few, also at the end of a text', async () => {
        await store.append('a', 0, 0, [created({ title: 'a' }), said(2, 1, '测量造父变星'), said(3, 2, 'z')]);
        await store.append('b', 0, 0, [created({ title: 'b' }), said(2, 1, '变 星 and "z=0.5" 100%')]);
        expect(await titles('变星')).toEqual(['a']);
        expect(await titles('星')).toEqual(['b', 'a']);
        expect(await titles('父变星')).toEqual(['a']);
        expect(await titles('造父变星')).toEqual(['a']);
        expect(await titles('Z')).toEqual(['b', 'a']);
        expect(await titles('"z=0')).toEqual(['b']);
        expect(await titles('0%')).toEqual(['b']);
        expect(await titles('变星 ')).toEqual([]);
      });

      it('does not search what tools gave and what we put in', async () => {
        const nudge = said(3, 2, 'please finish');
        if (nudge.type !== 'message' || nudge.message.role !== 'user') throw new Error('a message of a user');
        const marked: TurnEvent = { ...nudge, message: { ...nudge.message, kind: 'nudge' } };
        await store.append('a', 0, 0, [created(), toolSaid(2, 1, 'catalogue'), marked]);
        expect(await titles('catalogue')).toEqual([]);
        expect(await titles('please')).toEqual([]);
      });

      it('finds exactly what stands in a text', async () => {
        const some = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '星', '系', '🌌', '%', '"', ' ') });
        let sessions = 0;
        await fc.assert(
          fc.asyncProperty(some, some, async (text, query) => {
            sessions += 1;
            await store.append(`found-${sessions}`, 0, 0, [
              created({ title: '', atMs: sessions }),
              said(2, 1, text),
            ]);
            const { items } = await store.listSessions({ limit: 1, cursor: null, query });
            const isFound = items[0]?.sessionId === `found-${sessions}`;
            expect(isFound).toBe(text.toLowerCase().includes(query.toLowerCase()));
          }),
          { numRuns: 60 },
        );
      });

      it('does not search system prompts, which all sessions share', async () => {
        const prompt: TurnEvent = {
          ...said(2, 1, ''),
          type: 'message',
          message: { ...messageOf(1, 'lead'), role: 'system', parts: [{ type: 'text', text: 'astronomer' }] },
        };
        await store.append('a', 0, 0, [created(), prompt]);
        expect(await titles('astronomer')).toEqual([]);
      });

      it('pages through what a query finds', async () => {
        for (const [index, sessionId] of ['a', 'b', 'c'].entries()) {
          await create(sessionId, { title: sessionId === 'b' ? 'no' : `yes ${sessionId}`, atMs: index });
        }
        const first = await store.listSessions({ limit: 1, cursor: null, query: 'yes' });
        const second = await store.listSessions({ limit: 1, cursor: first.nextCursor, query: 'yes' });
        expect([first, second].map(({ items }) => items.map(({ sessionId }) => sessionId))).toEqual([
          ['c'],
          ['a'],
        ]);
        expect(second.nextCursor).toBeNull();
      });
    });

    describe('the lease', () => {
      beforeEach(() => create('s'));

      it('is free at first, then held until it expires', async () => {
        expect(await store.claim('s', 'A', 1_000, TTL_MS)).toEqual({ kind: 'claimed', epoch: 1 });
        expect(await store.claim('s', 'B', 1_001, TTL_MS)).toEqual({
          kind: 'held',
          owner: 'A',
          expiresAtMs: 16_000,
        });
        expect(await store.claim('s', 'B', 15_999, TTL_MS)).toMatchObject({ kind: 'held' });
        expect(await store.claim('s', 'B', 16_000, TTL_MS)).toEqual({ kind: 'claimed', epoch: 2 });
        expect((await store.readHead('s'))?.epoch).toBe(2);
      });

      it('may be taken again by its owner, at a higher epoch', async () => {
        await store.claim('s', 'A', 0, TTL_MS);
        expect(await store.claim('s', 'A', 1, TTL_MS)).toEqual({ kind: 'claimed', epoch: 2 });
      });

      it('is longer after a renewal, and only its owner of this epoch can renew', async () => {
        await store.claim('s', 'A', 0, TTL_MS);
        expect(await store.renew('s', 'A', 1, 10_000, TTL_MS)).toBe(true);
        expect(await store.claim('s', 'B', 24_999, TTL_MS)).toMatchObject({ expiresAtMs: 25_000 });
        expect(await store.renew('s', 'B', 1, 10_000, TTL_MS)).toBe(false);
        expect(await store.renew('s', 'A', 2, 10_000, TTL_MS)).toBe(false);
        expect(await store.renew('none', 'A', 1, 10_000, TTL_MS)).toBe(false);
        await store.claim('s', 'B', 25_000, TTL_MS);
        expect(await store.renew('s', 'A', 1, 25_001, TTL_MS)).toBe(false);
      });

      it('may still be renewed after it expired, while nobody took it', async () => {
        await store.claim('s', 'A', 0, TTL_MS);
        expect(await store.renew('s', 'A', 1, 90_000, TTL_MS)).toBe(true);
      });

      it('is free after a release, which only its owner of this epoch can do', async () => {
        await store.claim('s', 'A', 0, TTL_MS);
        await store.release('s', 'B', 1);
        await store.release('s', 'A', 2);
        expect(await store.claim('s', 'B', 1, TTL_MS)).toMatchObject({ kind: 'held', owner: 'A' });
        await store.release('s', 'A', 1);
        expect(await store.renew('s', 'A', 1, 1, TTL_MS)).toBe(false);
        expect(await store.claim('s', 'B', 1, TTL_MS)).toEqual({ kind: 'claimed', epoch: 2 });
      });

      it('gives epochs that only grow, whatever happens', async () => {
        const step = fc.record({
          owner: fc.constantFrom('A', 'B'),
          action: fc.constantFrom('claim', 'release', 'renew'),
          laterMs: fc.constantFrom(0, 1, TTL_MS),
        });
        let sessions = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
            sessions += 1;
            const sessionId = `lease-${sessions}`;
            await create(sessionId);
            let epoch = 0;
            let nowMs = 0;
            for (const { owner, action, laterMs } of steps) {
              nowMs += laterMs;
              if (action === 'release') await store.release(sessionId, owner, epoch);
              else if (action === 'renew') await store.renew(sessionId, owner, epoch, nowMs, TTL_MS);
              else {
                const outcome = await store.claim(sessionId, owner, nowMs, TTL_MS);
                if (outcome.kind !== 'claimed') continue;
                expect(outcome.epoch).toBe(epoch + 1);
                epoch = outcome.epoch;
              }
              expect((await store.readHead(sessionId))?.epoch).toBe(epoch);
            }
          }),
          { numRuns: 30 },
        );
      });

      it('lets one of two that claim at the same time have it', async () => {
        const outcomes = await Promise.all(['A', 'B'].map((owner) => store.claim('s', owner, 0, TTL_MS)));
        expect(outcomes.map(({ kind }) => kind)).toEqual(['claimed', 'held']);
      });

      it('fences every writer of another epoch', async () => {
        await store.claim('s', 'A', 0, TTL_MS);
        await store.claim('s', 'B', TTL_MS, TTL_MS);
        expect(await store.append('s', 1, 1, [said(2, 1, 'a')])).toEqual({ kind: 'fenced', epoch: 2 });
        expect(await store.append('s', 0, 0, [created()])).toEqual({ kind: 'fenced', epoch: 2 });
        expect(await store.append('s', 1, 2, [said(2, 1, 'a')])).toEqual({ kind: 'appended' });
        expect(await readAll('s')).toHaveLength(2);
      });

      it('is not given for a session that is not there', async () => {
        await expect(store.claim('none', 'A', 0, TTL_MS)).rejects.toBeInstanceOf(StoreError);
      });
    });

    describe('a deleted session', () => {
      beforeEach(async () => {
        await store.append('s', 0, 0, [
          created({ title: 'gone' }),
          said(2, 1, 'secret'),
          {
            ...stamp(3),
            type: 'tasks',
            tasks: [{ id: '1', content: 'x', status: 'pending', blockedBy: [] }],
          },
        ]);
        await store.claim('s', 'A', 0, TTL_MS);
        await store.append('s', 3, 1, [{ ...stamp(4), type: 'session-deleted' }]);
      });

      it('is not listed, read or claimed any more', async () => {
        expect(await titles(null)).toEqual([]);
        expect(await titles('secret')).toEqual([]);
        expect(await store.readHead('s')).toBeNull();
        expect(await store.readSession('s')).toBeNull();
        expect(await readAll('s')).toEqual([]);
        expect(await readAllMessages('s')).toEqual([]);
        expect(await store.readTasks('s')).toEqual([]);
        expect(await find('s', ['secret'])).toEqual([]);
        const span = { agentName: '*', from: 'm1', to: 'm9', limit: 9 } as const;
        expect(await store.readMessageRange('s', span)).toEqual([]);
        expect(await store.readCutResults('s', span)).toEqual([]);
        expect(await store.renew('s', 'A', 1, 0, TTL_MS)).toBe(false);
        await expect(store.claim('s', 'A', 0, TTL_MS)).rejects.toBeInstanceOf(StoreError);
      });

      it('fences whoever still writes to it, its last owner included', async () => {
        for (const epoch of [0, 1, 2]) {
          expect(await store.append('s', 4, epoch, [said(5, 2, 'late')])).toEqual({
            kind: 'fenced',
            epoch: 2,
          });
        }
      });
    });

    it('rejects every use after it was closed, and may be closed twice', async () => {
      await create('s');
      await store.close();
      await store.close();
      for (const use of [
        () => create('t'),
        () => readAll('s'),
        () => store.readHead('s'),
        () => store.readSession('s'),
        () => titles(null),
        () => readAllMessages('s'),
        () => store.readTasks('s'),
        () => find('s', ['a']),
        () => store.readMessageRange('s', { agentName: '*', from: 'm1', to: 'm9', limit: 9 }),
        () => store.readCutResults('s', { agentName: '*', from: 'm1', to: 'm9', limit: 9 }),
        () => store.claim('s', 'A', 0, TTL_MS),
        () => store.renew('s', 'A', 1, 0, TTL_MS),
        () => store.release('s', 'A', 1),
      ]) {
        await expect(use()).rejects.toBeInstanceOf(StoreError);
      }
    });

    it('finishes what was asked for before it is closed', async () => {
      const asked = create('s');
      await store.close();
      expect(await asked).toEqual({ kind: 'appended' });
    });
  });
}

const stamp = (seq: number) => ({ seq, turnId: 'turn-1', agentName: 'lead', step: 0, atMs: seq });

function created(event: Partial<TurnEvent> = {}): TurnEvent {
  const first = { ...stamp(1), type: 'session-created', title: 't', model: null, metadata: {} };
  return { ...first, ...event } as TurnEvent;
}

function turnBegan(seq: number, event: Partial<TurnEvent>): TurnEvent {
  const begun: TurnEvent = {
    ...stamp(seq),
    type: 'session',
    title: '',
    model: 'scripted',
    provider: 'scripted',
    resumed: false,
    enableThinking: false,
    turnIndex: 1,
    maxSteps: 8,
    permissionMode: 'default',
    language: 'zh',
    toolTokens: 0,
    pollTools: [],
    writeTools: ['write_file'],
    canPlan: true,
  };
  return { ...begun, ...event } as TurnEvent;
}

function done(seq: number, event: Partial<TurnEvent> = {}): TurnEvent {
  return { ...stamp(seq), type: 'done', status: 'completed', ...event } as TurnEvent;
}

const messageOf = (ordinal: number, agentName: string) => ({
  id: messageId(ordinal),
  agentName,
  turnIndex: 1,
  step: 0,
  tokens: 3,
  createdAtMs: 0,
});

function said(seq: number, ordinal: number, text: string, agentName = 'lead'): TurnEvent {
  const message = {
    ...messageOf(ordinal, agentName),
    role: 'user',
    parts: [{ type: 'text', text }],
  } as const;
  return { ...stamp(seq), agentName, type: 'message', message };
}

function toolSaid(seq: number, ordinal: number, text: string, name = 'query_simbad'): TurnEvent {
  return resultEvent(seq, resultOf(ordinal, text, name));
}

function cutResult(seq: number, ordinal: number, agentName = 'lead'): TurnEvent {
  const fullOutput = { sha256: 'f'.repeat(64), chars: 9_000 };
  return resultEvent(seq, { ...resultOf(ordinal, 'head and tail', 'read_file'), agentName, fullOutput });
}

function resultOf(ordinal: number, text: string, name: string): ToolMessage {
  const call = { toolCallId: 'call-1', name, status: 'ok' } as const;
  return { ...messageOf(ordinal, 'lead'), role: 'tool', parts: [{ type: 'tool-result', ...call, text }] };
}

function resultEvent(seq: number, message: ToolMessage): TurnEvent {
  const { toolCallId, name, status } = message.parts[0];
  return {
    ...stamp(seq),
    type: 'tool-result',
    toolCallId,
    name,
    status,
    elapsedMs: 5,
    truncated: false,
    message,
  };
}

function messagesOf(log: readonly TurnEvent[]) {
  return log.flatMap((event) =>
    event.type === 'message' || event.type === 'tool-result' ? [event.message] : [],
  );
}
