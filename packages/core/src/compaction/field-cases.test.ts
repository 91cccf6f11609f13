/** Faults that users of other agents met, as stories about ours: cuts, progress, success, usage from before. */
import { describe, expect, it } from 'vitest';
import { brokenRules } from '../message/invariants.ts';
import { type Message, messageId, type Part, textOf } from '../message/message.ts';
import { countMessage } from '../tokens/estimate.ts';
import { decide } from '../turn/decide.ts';
import type { EventOf, NewEvent } from '../turn/event.ts';
import { evolve } from '../turn/evolve.ts';
import { DEFAULT_SETTINGS, type Settings } from '../turn/settings.ts';
import { agentOf, LEAD, NEW_SESSION, type SessionState } from '../turn/state.ts';
import { type Compaction, compress } from './compress.ts';
import type { CompactionLimits } from './limits.ts';
import type { SummaryReply } from './summary-reply.ts';

const count = (text: string) => Math.ceil(text.length / 4);
const LIMITS: CompactionLimits = {
  triggerTokens: 4_000,
  targetTokens: 1_500,
  targetChars: null,
  hardTokens: 1_000_000,
  windowTokens: 1_000_000,
  roomTokens: 4_000,
  maxMessages: 50,
  toolTokens: 0,
  scale: 1,
};

type Line = readonly ['system' | 'user' | 'assistant' | 'tool', string, ...string[]];

function history(lines: readonly Line[]): readonly Message[] {
  return lines.map(([role, text, ...ids], index) => {
    const said: Part[] = text === '' ? [] : [{ type: 'text', text }];
    const calls = ids.map((toolCallId) => ({
      type: 'tool-call',
      toolCallId,
      name: 'read_file',
      arguments: '{"path":"f"}',
    }));
    const result = [{ type: 'tool-result', toolCallId: ids[0], name: 'read_file', status: 'ok', text }];
    const parts = (role === 'tool' ? result : [...said, ...calls]) as readonly Part[];
    const base = { id: messageId(index + 1), agentName: LEAD, turnIndex: 1, step: index, createdAtMs: 0 };
    const tokens = countMessage(parts as Message['parts'], count);
    return { ...base, role, parts, tokens, ...(role === 'assistant' ? { ending: 'stop' } : {}) } as Message;
  });
}

function compacted(
  messages: readonly Message[],
  limits: Partial<CompactionLimits> = {},
  reply: SummaryReply = { kind: 'none' },
) {
  let next = messages.length;
  const nextId = () => {
    next += 1;
    return messageId(next);
  };
  const place = { agentName: LEAD, turnIndex: 1, step: 1, nowMs: 0 };
  const steps = compress(messages, {
    limits: { ...LIMITS, ...limits },
    language: 'en',
    tasks: [],
    count,
    nextId,
    ...place,
  });
  let step = steps.next();
  while (step.done !== true)
    step = steps.next(step.value.kind === 'summary' ? reply : { kind: 'originals', messages: [] });
  return step.value as Compaction;
}

const pages = (nth: number) => `page ${nth} `.repeat(150);

describe('cuts', () => {
  it('keep ten parallel results with the message that asked for them, wherever a count would cut', () => {
    const ids = Array.from({ length: 10 }, (_, nth) => `c${nth}`);
    const messages = history([
      ['system', 'sys'],
      ['user', 'read ten files'],
      ...Array.from({ length: 4 }, (_, nth): Line[] => [
        ['assistant', `thought ${nth} `.repeat(200)],
        ['user', 'go on'],
      ]).flat(),
      ['assistant', 'reading', ...ids],
      ...ids.map((id, nth): Line => ['tool', pages(nth), id]),
    ]);
    const { messages: view } = compacted(messages, { maxMessages: 10 });
    expect(brokenRules(view)).toEqual([]);
    expect(view.filter(({ role }) => role === 'tool').map(textOf)).toEqual(ids.map((_, nth) => pages(nth)));
  });

  it('leave no call in the head whose results went with the middle', () => {
    const messages = history([
      ['system', 'sys'],
      ['user', 'task'],
      ['assistant', '', 'h1', 'h2'],
      ['tool', pages(1), 'h1'],
      ['tool', pages(2), 'h2'],
      ...Array.from({ length: 12 }, (_, nth): Line[] => [
        ['assistant', '', `m${nth}`],
        ['tool', pages(nth), `m${nth}`],
      ]).flat(),
      ['assistant', 'done'],
      ['user', 'next'],
    ]);
    const { messages: view, edits } = compacted(messages, { maxMessages: 12 });
    expect(edits.length).toBeGreaterThan(0);
    expect(brokenRules(view)).toEqual([]);
  });
});

describe('success', () => {
  const chat = history([
    ['system', 'sys'],
    ...Array.from({ length: 60 }, (_, nth): Line[] => [
      ['user', `question ${nth} about stars`],
      ['assistant', `answer ${nth} `.repeat(30)],
    ]).flat(),
  ]);

  it('is not fewer messages: a summary that makes the whole larger is never applied', () => {
    const dense = { kind: 'narrative', text: 'a dense summary '.repeat(2_000) } as const;
    const { summary, tokensAfter, tokensBefore, messages } = compacted(chat, { maxMessages: 500 }, dense);
    expect(summary).toBe('refused');
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(messages.map(textOf).join()).not.toContain('a dense summary a dense');
  });

  it('is fewer tokens, though the number of messages stays', () => {
    const masked = history([
      ['system', 'sys'],
      ['user', 'read'],
      ...Array.from({ length: 12 }, (_, nth): Line[] => [
        ['assistant', '', `c${nth}`],
        ['tool', pages(nth), `c${nth}`],
      ]).flat(),
    ]);
    const { success, messages, tokensAfter, tokensBefore } = compacted(masked, { targetTokens: 3_400 });
    expect([success, messages.length]).toEqual([true, masked.length]);
    expect(tokensAfter).toBeLessThan(tokensBefore * 0.85);
  });
});

describe('a session that cannot be made smaller', () => {
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    budget: { softTokens: 6_000, hardTokens: 60_000 },
    compaction: { ...DEFAULT_SETTINGS.compaction, windowTokens: 100_000 },
  };
  const stamp = { turnId: 't', agentName: LEAD, step: 0, atMs: 0 };

  function running(messages: readonly Message[]): SessionState {
    const session: NewEvent = {
      ...stamp,
      type: 'session',
      title: '',
      model: 'm',
      provider: 'p',
      resumed: false,
      enableThinking: false,
      turnIndex: 1,
      maxSteps: 50,
      permissionMode: 'default',
      language: 'en',
      toolTokens: 1_000,
      pollTools: [],
      writeTools: [],
      canPlan: false,
    };
    const events: NewEvent[] = [
      session,
      ...messages.map((message) => ({ ...stamp, type: 'message' as const, message })),
    ];
    return events.reduce((state, event, index) => evolve(state, { ...event, seq: index + 1 }), NEW_SESSION);
  }

  function told(state: SessionState, compaction: Partial<EventOf<'compaction'>>): SessionState {
    const agent = agentOf(state, LEAD);
    const numbers = { messagesBefore: 3, messagesAfter: 3, tokensBefore: 8_000, tokensAfter: 8_000 };
    return evolve(state, {
      ...stamp,
      type: 'compaction',
      trigger: 'auto',
      outcome: 'cannot_fit',
      layers: [],
      ...numbers,
      success: false,
      breaker: 'closed',
      breakerEvents: [],
      request: agent.requests + 1,
      edits: [],
      ...compaction,
      seq: 99,
    });
  }

  it('is told so once; then its turns go on without trying again at every step', () => {
    const state = running(
      history([
        ['system', 'policy '.repeat(4_000)],
        ['user', 'do the job'],
      ]),
    );
    expect(decide(agentOf(state, LEAD), settings).kind).toBe('compact');
    expect(decide(agentOf(told(state, {}), LEAD), settings).kind).toBe('call-model');
  });

  it('ends its turn with the numbers where the model would refuse it', () => {
    const state = running(
      history([
        ['system', 'sys'],
        ['user', 'word '.repeat(120_000)],
      ]),
    );
    const after = told(state, { fixedTokens: 1_010, largestPinnedTokens: 150_004, tokensAfter: 151_014 });
    const action = decide(agentOf(after, LEAD), settings);
    expect(action).toMatchObject({ kind: 'finish', status: 'failed', failure: { kind: 'context_too_long' } });
    expect(JSON.stringify(action)).toMatch(/1010 .*150004 .*100000/);
  });

  it('is not judged by what was reported before a compaction', () => {
    const lines: Line[] = [
      ['system', 'sys'],
      ['user', 'q'],
      ['assistant', 'kept reply'],
    ];
    const state = running(history(lines.slice(0, 2)));
    const usage = {
      promptTokens: 61_000,
      completionTokens: 50,
      cachedTokens: 0,
      reasoningTokens: 0,
      estimated: false,
    };
    const [, , reply] = history(lines);
    const reported = evolve(state, { ...stamp, type: 'message', message: reply as Message, usage, seq: 50 });
    const block = {
      kind: 'rewrite',
      layer: 'micro',
      message: 'm2',
      parts: [{ type: 'text', text: 'q' }],
      tokens: 5,
      reason: 'mask',
    } as const;
    const after = told(reported, { outcome: 'compacted', edits: [block], tokensAfter: 1_020 });
    expect(decide(agentOf(after, LEAD), settings).kind).not.toBe('compact');
  });
});
