import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverage, type Message, ordinalOf } from '../message/message.ts';
import { compactedSession, type GeneratedSession, generatedSession } from '../testing/arbitrary.ts';
import { estimateContext } from '../tokens/context-size.ts';
import type { TurnEvent } from '../turn/event.ts';
import { evolve } from '../turn/evolve.ts';
import { announcesRequest } from '../turn/request-event.ts';
import { DEFAULT_SETTINGS } from '../turn/settings.ts';
import { type AgentState, agentOf, LEAD, NEW_SESSION } from '../turn/state.ts';
import type { ContextEdit } from '../view/edit.ts';
import { contains } from '../view/view.ts';
import { type RequestContext, requestContext } from './context-blocks.ts';
import { contextLimits, contextToWire } from './context-to-wire.ts';
import { requestAt } from './request-at.ts';

const session = fc.oneof(generatedSession, compactedSession);

/** The agent at each of its requests, and at the end; found independently of the code under test. */
function statesOf({ log }: Pick<GeneratedSession, 'log'>): readonly AgentState[] {
  let state = NEW_SESSION;
  const states: AgentState[] = [];
  for (const event of log) {
    state = evolve(state, event);
    if (announcesRequest(event)) states.push(agentOf(state, LEAD));
  }
  return [...states, agentOf(state, LEAD)];
}

function contextOf(log: readonly TurnEvent[], request: number | null): RequestContext {
  const found = requestAt(log, LEAD, request);
  if (found.kind === 'beyond') throw new Error(`there are only ${found.requests} requests`);
  return requestContext(found);
}

function messageBlocks({ blocks }: RequestContext) {
  return blocks.filter((block) => block.role !== 'tools');
}

describe('blocks of every request of generated sessions', () => {
  it('are its messages, one by one', () => {
    fc.assert(
      fc.property(session, (generated) => {
        statesOf(generated).forEach(({ view }, index) => {
          const context = contextOf(generated.log, index + 1);
          const blocks = messageBlocks(context);
          expect(context.request).toBe(index + 1);
          expect(blocks.map((block) => block.role)).toEqual([...view].map((message) => message.role));
          expect(blocks.map((block) => block.ref?.split('-')[0])).toEqual(
            [...view].map((message) => coverage(message).from),
          );
        });
      }),
    );
  });

  it('add up to its estimate, as do the totals, and each weighs something', () => {
    fc.assert(
      fc.property(session, (generated) => {
        statesOf(generated).forEach((agent, index) => {
          const { blocks, totals, tokens } = contextOf(generated.log, index + 1);
          expect(blocks.every((block) => block.tokens > 0)).toBe(true);
          expect(tokens).toBe(estimateContext(agent.contextSize));
          expect(sum(blocks.map((block) => block.tokens))).toBe(tokens);
          expect(sum(Object.values(totals))).toBe(tokens);
        });
      }),
    );
  });

  it('begin with all of the request before, cached, unless a compaction lies between', () => {
    fc.assert(
      fc.property(session, (generated) => {
        const states = statesOf(generated);
        const compacted = new Set(
          generated.log.flatMap((event) => {
            if (event.type !== 'compaction') return [];
            // What no request has carried yet can be cut without touching the prefix.
            const sent = Math.max(0, ...[...(states[event.request - 2]?.view ?? [])].map(lastOrdinal));
            return event.edits.some((edit) => firstOrdinal(edit) <= sent) ? [event.request] : [];
          }),
        );
        const requests = states.length;
        expect(contextOf(generated.log, 1).cachedPrefixTokens).toBe(0);
        for (let request = 2; request <= requests; request++) {
          const before = contextOf(generated.log, request - 1).blocks;
          const { blocks, cachedPrefixTokens } = contextOf(generated.log, request);
          const cached = blocks.filter((block) => block.cached);
          expect(blocks.slice(0, cached.length)).toEqual(cached);
          expect(sum(cached.map((block) => block.tokens))).toBe(cachedPrefixTokens);
          if (compacted.has(request)) expect(cached.length).toBeLessThan(before.length);
          else expect(cached.map((block) => block.ref)).toEqual(before.map((block) => block.ref));
        }
      }),
    );
  });

  it('say of each change, and of nothing else, which layer made it', () => {
    let changed = 0;
    fc.assert(
      fc.property(compactedSession, (generated) => {
        const stored = new Map(storedMessages(generated.log).map((message) => [message.id, message]));
        statesOf(generated).forEach(({ view }, index) => {
          const blocks = messageBlocks(contextOf(generated.log, index + 1));
          [...view].forEach((message, position) => {
            const change = blocks[position]?.replacedBy;
            const isStored = JSON.stringify(stored.get(message.id)?.parts) === JSON.stringify(message.parts);
            expect(change === null).toBe(isStored);
            if (change === null || change === undefined) return;
            changed += 1;
            expect(change.atRequest).toBeLessThanOrEqual(index + 1);
            const originals = [...stored.values()].filter((one) =>
              contains(coverage(message), coverage(one)),
            );
            expect(change.tokensSaved).toBe(sum(originals.map((one) => one.tokens)) - message.tokens);
          });
        });
      }),
    );
    expect(changed).toBeGreaterThan(100);
  });

  it('do not depend on what came later', () => {
    fc.assert(
      fc.property(session, fc.nat(), ({ log }, cut) => {
        const events = log.slice(0, cut % log.length);
        const made = statesOf({ log: events }).length - 1;
        for (let request = 1; request <= made; request++) {
          expect(contextOf(events, request)).toEqual(contextOf(log, request));
        }
      }),
    );
  });
});

describe('requestAt', () => {
  const [first] = fc.sample(compactedSession, { numRuns: 1, seed: 7 });
  const log = first?.log ?? [];
  const made = statesOf({ log }).length - 1;

  it('finds the next request where none is named', () => {
    expect(contextOf(log, null)).toEqual(contextOf(log, made + 1));
    expect(contextOf(log, null).isNext).toBe(true);
    expect(contextOf(log, made).isNext).toBe(false);
  });

  it('says how many there are where it was asked for one beyond', () => {
    expect(requestAt(log, LEAD, made + 2)).toEqual({ kind: 'beyond', requests: made });
  });

  it('finds an empty next request in a session without messages', () => {
    const context = contextOf(log.slice(0, 1), null);
    expect(context).toMatchObject({ request: 1, isNext: true, blocks: [], tokens: 0, cachedPrefixTokens: 0 });
  });

  it('knows nothing of other agents', () => {
    expect(requestAt(log, 'sub_12345678', 2)).toEqual({ kind: 'beyond', requests: 0 });
  });
});

describe('a request', () => {
  it('is weighed as the provider counts', () => {
    const usage = {
      promptTokens: 400,
      completionTokens: 40,
      cachedTokens: 0,
      reasoningTokens: 0,
      estimated: false,
    };
    const { blocks, totals, tokens } = contextOf(
      talk({ toolTokens: 100 }, system(40), user('m2', 60), step(1), reply('m3', 20, usage)),
      2,
    );
    expect(tokens).toBe(440);
    expect(blocks.map((block) => block.tokens)).toEqual([200, 80, 120, 40]);
    expect(totals).toMatchObject({ tools: 200, system: 80, history: 160 });
  });

  it('tells the memories from the rest of the system prompt', () => {
    const { totals, blocks } = contextOf(talk({ toolTokens: 0 }, system(40, 15), user('m2', 60)), 1);
    expect(blocks.map((block) => block.kind)).toEqual(['system', 'user']);
    expect(totals).toMatchObject({ tools: 0, system: 25, memory: 15, history: 60 });
  });

  it('finds nothing in the cache for other tools or another model', () => {
    const begun = [system(40), user('m2', 60), step(1), reply('m3', 20)];
    const again = (change: object) => [...begun, session1({ toolTokens: 10, ...change }), user('m4', 9)];
    const cachedOf = (change: object) =>
      contextOf(talk({ toolTokens: 10 }, ...again(change)), 2).cachedPrefixTokens;
    expect(cachedOf({})).toBe(110);
    expect(cachedOf({ toolTokens: 11 })).toBe(0);
    expect(cachedOf({ model: 'another' })).toBe(0);
  });

  it('sorts what the engine wrote by its kind', () => {
    const kinds = [
      'task_state',
      'nudge',
      'notification',
      'identity',
      'recovery',
      'restored_file',
      'summary',
    ] as const;
    const written = kinds.map((kind, index) => user(`m${index + 2}`, 10, kind));
    expect(contextOf(talk({ toolTokens: 0 }, system(40), ...written), 1).totals).toEqual({
      tools: 0,
      system: 40,
      memory: 0,
      history: 0,
      toolResults: 0,
      summary: 10,
      restoredFiles: 10,
      reminders: 50,
    });
  });

  it('takes its names in JSON in one place', () => {
    const context = contextOf(talk({ toolTokens: 10 }, system(40), user('m2', 60)), null);
    expect(contextToWire(context, contextLimits(DEFAULT_SETTINGS))).toMatchObject({
      request: 1,
      is_next: true,
      blocks: [
        { role: 'tools', kind: 'tools', ref: null, tokens: 10, cached: false },
        { role: 'system', kind: 'system', ref: 'm1', tokens: 40, created_at: '1970-01-01T00:00:00.000Z' },
        { role: 'user', kind: 'user', ref: 'm2', tokens: 60 },
      ],
      totals: { system: 40, tools: 10, memory: 0, tool_results: 0, restored_files: 0 },
      tokens: 110,
      cached_prefix_tokens: 0,
      limits: { soft: 32_000, hard: 40_000, trigger: 32_000, window: 120_000 },
      breaker: 'closed',
    });
  });
});

type Body = object;

function talk(fields: { toolTokens: number }, ...bodies: readonly object[]): readonly TurnEvent[] {
  return [session1(fields), ...bodies].map(
    (body, index) =>
      ({ ...body, seq: index + 1, turnId: 't', agentName: LEAD, step: 0, atMs: 0 }) as TurnEvent,
  );
}

function session1(fields: object): Body {
  const flags = { resumed: false, enableThinking: false, canPlan: false, pollTools: [], writeTools: [] };
  const about = { title: '', model: 'one', provider: 'scripted', turnIndex: 1, maxSteps: 8, language: 'en' };
  return { type: 'session', ...flags, ...about, permissionMode: 'default', ...fields };
}

function step(n: number): Body {
  return { type: 'step', n, estimatedTokens: 0, spentTokens: 0, forced: null };
}

function message(fields: object): Body {
  const place = {
    agentName: LEAD,
    turnIndex: 1,
    step: 0,
    createdAtMs: 0,
    parts: [{ type: 'text', text: 'x' }],
  };
  return { type: 'message', message: { ...place, ...fields } };
}

const system = (tokens: number, memoryTokens?: number) =>
  message({ id: 'm1', role: 'system', tokens, ...(memoryTokens === undefined ? {} : { memoryTokens }) });
const user = (id: string, tokens: number, kind?: string) =>
  message({ id, role: 'user', tokens, ...(kind === undefined ? {} : { kind }) });
const reply = (id: string, tokens: number, usage?: object): Body => ({
  ...message({ id, role: 'assistant', tokens, ending: 'stop' }),
  ...(usage === undefined ? {} : { usage }),
});

function storedMessages(log: readonly TurnEvent[]): readonly Message[] {
  return log.flatMap((event) =>
    event.type === 'message' || event.type === 'tool-result' ? [event.message] : [],
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

const lastOrdinal = (message: Message) => ordinalOf(coverage(message).to);
const firstOrdinal = (edit: ContextEdit) =>
  ordinalOf(edit.kind === 'rewrite' ? edit.message : edit.replacement.covers.from);
