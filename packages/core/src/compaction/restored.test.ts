/** Restored files in a compaction: the room they get, and the verdict that counts them. */
import { describe, expect, it } from 'vitest';
import type { Message, UserMessage } from '../message/message.ts';
import type { ContextEdit } from '../view/edit.ts';
import type { Compaction } from './compress.ts';
import type { CompactionLimits } from './limits.ts';
import { restoreRoomTokens, withRestored } from './restored.ts';

const limits: CompactionLimits = {
  triggerTokens: 10_000,
  targetTokens: 5_000,
  targetChars: null,
  hardTokens: 12_000,
  windowTokens: 100_000,
  roomTokens: 9_000,
  maxMessages: 50,
  toolTokens: 0,
  scale: 1,
};

function user(tokens: number): UserMessage {
  return {
    id: 'm1',
    role: 'user',
    agentName: 'lead',
    turnIndex: 1,
    step: 1,
    tokens,
    createdAtMs: 1,
    parts: [{ type: 'text', text: 'words' }],
  };
}

function compaction(tokensBefore: number, tokensAfter: number, change: Partial<Compaction> = {}): Compaction {
  const messages: readonly Message[] = [user(tokensAfter)];
  const edit: ContextEdit = {
    kind: 'rewrite',
    layer: 'micro',
    message: 'm1',
    parts: messages[0]?.parts ?? [],
    tokens: 1,
    reason: 'mask',
  };
  return {
    outcome: 'compacted',
    edits: [edit],
    appended: [],
    messages,
    layers: [],
    tokensBefore,
    tokensAfter,
    success: true,
    fixedTokens: 0,
    largestPinnedTokens: 0,
    summary: null,
    summaryFault: null,
    ...change,
  };
}

describe('restoreRoomTokens', () => {
  it('is a quarter of what was freed, in counted tokens', () => {
    expect(restoreRoomTokens(compaction(11_000, 3_000), limits)).toBe(1_999);
    expect(restoreRoomTokens(compaction(11_000, 3_000), { ...limits, scale: 2 })).toBe(999);
  });

  it('never brings the request back above the trigger', () => {
    expect(restoreRoomTokens(compaction(30_000, 9_800), limits)).toBe(199);
    expect(restoreRoomTokens(compaction(30_000, 10_500), limits)).toBe(0);
  });

  it('leaves the gain that makes the compaction a success: 5 % and 500 tokens at least', () => {
    expect(restoreRoomTokens(compaction(9_000, 8_450), limits)).toBe(49);
    expect(restoreRoomTokens(compaction(9_000, 8_600), limits)).toBe(0);
  });

  it('is nothing where nothing was changed', () => {
    expect(restoreRoomTokens(compaction(11_000, 3_000, { edits: [] }), limits)).toBe(0);
  });
});

describe('withRestored', () => {
  it('counts the block: files that eat the gain make the compaction a failure', () => {
    const small = withRestored(compaction(11_000, 6_000), user(1_000), limits);
    expect(small).toMatchObject({ tokensAfter: 7_000, success: true });
    expect(small.appended).toHaveLength(1);
    expect(small.messages).toHaveLength(2);
    expect(withRestored(compaction(11_000, 6_000), user(4_700), limits).success).toBe(false);
  });
});
