/** Each rule is broken by its own small history, and by nothing else. */
import { describe, expect, it } from 'vitest';
import { brokenRules, type Rule } from './invariants.ts';
import { type AssistantMessage, type Message, messageId } from './message.ts';

let ordinal = 0;
const base = () => {
  ordinal += 1;
  return { id: messageId(ordinal), agentName: 'lead', turnIndex: 1, step: 1, tokens: 1, createdAtMs: 0 };
};
const system = (): Message => ({ ...base(), role: 'system', parts: [{ type: 'text', text: 'You are.' }] });
const user = (text = 'why?'): Message => ({ ...base(), role: 'user', parts: [{ type: 'text', text }] });
const assistant = (text: string, ...ids: string[]): AssistantMessage => ({
  ...base(),
  role: 'assistant',
  ending: ids.length > 0 ? 'tool-calls' : 'stop',
  parts: [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...ids.map((toolCallId) => ({
      type: 'tool-call' as const,
      toolCallId,
      name: 'read_file',
      arguments: '{}',
    })),
  ],
});
const result = (toolCallId: string): Message => ({
  ...base(),
  role: 'tool',
  parts: [{ type: 'tool-result', toolCallId, name: 'read_file', status: 'ok', text: 'x' }],
});
const rulesOf = (messages: readonly Message[]): readonly Rule[] => [
  ...new Set(brokenRules(messages).map((breach) => breach.rule)),
];

describe('brokenRules', () => {
  it('finds nothing in a valid history', () => {
    const history = [
      system(),
      user(),
      assistant('', 'a', 'b'),
      result('a'),
      result('b'),
      assistant('Done.'),
      user(),
    ];
    expect(brokenRules(history)).toEqual([]);
  });

  const PAIRED = 'every call has exactly one result, directly behind, in call order';
  it.each<[string, Rule, readonly Message[]]>([
    ['a call without a result', PAIRED, [user(), assistant('', 'a'), user()]],
    ['a call unanswered at the end', PAIRED, [user(), assistant('', 'a')]],
    ['results out of call order', PAIRED, [user(), assistant('', 'a', 'b'), result('b'), result('a')]],
    ['a message between call and result', PAIRED, [user(), assistant('', 'a'), user(), result('a')]],
    ['an orphan result', 'no result without its call', [user(), result('ghost')]],
    ['a second result', 'no result without its call', [user(), assistant('', 'a'), result('a'), result('a')]],
    [
      'an id used twice',
      'call ids are unique',
      [user(), assistant('', 'a'), result('a'), assistant('', 'a'), result('a')],
    ],
    ['a second system message', 'one system message, first', [system(), user(), system()]],
    ['an assistant first', 'the first other message is the user’s', [system(), assistant('Hello')]],
    ['an empty assistant message', 'no empty assistant message', [user(), assistant(' \n')]],
    ['half a surrogate pair', 'no lone surrogate', [user('\ud83c')]],
  ])('finds %s', (_, rule, history) => {
    expect(rulesOf(history)).toContain(rule);
  });
});
