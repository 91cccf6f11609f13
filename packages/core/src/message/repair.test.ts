/** Repairs as stories: what came in, what goes on. */
import { describe, expect, it } from 'vitest';
import { type Message, messageId, type Part, textOf } from './message.ts';
import { repairHistory } from './repair.ts';

const TEXTS = { missingResult: '(no result)', opening: '(begins here)' };
type Line = readonly ['system' | 'user' | 'assistant' | 'tool', string, ...string[]];

/** `['assistant', 'words', 'a', 'b']` calls a and b; `['tool', 'words', 'a']` is the result of a. */
function history(...lines: readonly Line[]): readonly Message[] {
  return lines.map(([role, text, ...ids], index) => {
    const said: Part[] = text === '' ? [] : [{ type: 'text', text }];
    const calls = ids.map((toolCallId) => ({
      type: 'tool-call',
      toolCallId,
      name: 'read_file',
      arguments: '{}',
    }));
    const result = [{ type: 'tool-result', toolCallId: ids[0], name: 'read_file', status: 'ok', text }];
    const parts = role === 'tool' ? result : [...said, ...calls];
    const base = {
      id: messageId(index + 1),
      agentName: 'lead',
      turnIndex: 1,
      step: 1,
      tokens: 1,
      createdAtMs: 0,
    };
    return { ...base, role, parts, ...(role === 'assistant' ? { ending: 'stop' } : {}) } as Message;
  });
}

function repaired(...lines: readonly Line[]) {
  const { messages, repairs } = repairHistory(history(...lines), TEXTS, () => 1);
  return {
    texts: messages.map((message) => `${message.role} ${textOf(message)}`),
    kinds: repairs.map(({ kind }) => kind),
  };
}

describe('repairHistory', () => {
  it('gives a call without a result one that says so, at the end and in the middle', () => {
    expect(
      repaired(['user', 'q'], ['assistant', '', 'a', 'b'], ['tool', 'B', 'b'], ['user', 'go on']),
    ).toEqual({
      texts: ['user q', 'assistant ', 'tool (no result)', 'tool B', 'user go on'],
      kinds: ['result-added', 'result-moved'],
    });
  });

  it('puts late and crossed results behind their calls, in call order', () => {
    expect(
      repaired(
        ['user', 'q'],
        ['assistant', '', 'a', 'b'],
        ['tool', 'B', 'b'],
        ['user', 'meanwhile'],
        ['tool', 'A', 'a'],
      ).texts,
    ).toEqual(['user q', 'assistant ', 'tool A', 'tool B', 'user meanwhile']);
  });

  it('sets aside orphans, second results and empty replies', () => {
    expect(
      repaired(
        ['user', 'q'],
        ['tool', 'ghost', 'x'],
        ['assistant', '', 'a'],
        ['tool', 'A', 'a'],
        ['tool', 'again', 'a'],
        ['assistant', ' '],
      ),
    ).toEqual({ texts: ['user q', 'assistant ', 'tool A'], kinds: ['set-aside', 'set-aside', 'set-aside'] });
  });

  it('renames a call whose id was used before, and its result with it', () => {
    const { messages, repairs } = repairHistory(
      history(
        ['user', 'q'],
        ['assistant', '', 'a'],
        ['tool', '1', 'a'],
        ['assistant', '', 'a'],
        ['tool', '2', 'a'],
      ),
      TEXTS,
      () => 1,
    );
    expect(repairs).toEqual([{ kind: 'call-renamed', messageId: 'm4', from: 'a', to: 'a~2' }]);
    expect(messages[4]?.parts[0]).toMatchObject({ toolCallId: 'a~2', text: '2' });
  });

  it('begins with the one system message and words of a user', () => {
    expect(repaired(['assistant', 'hello'], ['system', 'late'], ['system', 'second'])).toEqual({
      texts: ['system late', 'user (begins here)', 'assistant hello', 'user second'],
      kinds: ['system-moved', 'opening-added', 'system-demoted'],
    });
  });
});
