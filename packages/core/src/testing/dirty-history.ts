/** Histories as they come from other programs and from crashes: every rule of a request may be broken. */
import fc from 'fast-check';
import { type Message, messageId } from '../message/message.ts';

/** Few ids, so that they repeat and go astray. */
const callId = fc.constantFrom('', 'a', 'b', 'c', 'd');
const text = fc.oneof(
  fc.constantFrom('', ' ', 'plain', '哈勃常数', 'half \uD83C of a pair', '🌌'),
  fc.string({ maxLength: 20 }),
);
const args = fc.constantFrom('{}', '{"path":"a"}', '', '{"path":', '[1]', '"text"', '{"x":"\uD800"}');

const draft = fc.oneof(
  { weight: 1, arbitrary: fc.record({ role: fc.constant('system' as const), text }) },
  { weight: 3, arbitrary: fc.record({ role: fc.constant('user' as const), text }) },
  {
    weight: 5,
    arbitrary: fc.record({
      role: fc.constant('assistant' as const),
      text,
      calls: fc.array(fc.tuple(callId, args), { maxLength: 3 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ role: fc.constant('tool' as const), text, id: callId }) },
);

export const dirtyHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(draft, { maxLength: 24 })
  .map((drafts) =>
    drafts.map((from, index): Message => {
      const id = messageId(index + 1);
      const base = { id, agentName: 'lead', turnIndex: 1, step: 1, tokens: 1, createdAtMs: 0 };
      const said = from.text === '' ? [] : [{ type: 'text' as const, text: from.text }];
      switch (from.role) {
        case 'system':
        case 'user':
          return { ...base, role: from.role, parts: said };
        case 'assistant': {
          const calls = from.calls.map(([toolCallId, json]) => ({
            type: 'tool-call' as const,
            toolCallId,
            name: 'read_file',
            arguments: json,
          }));
          return { ...base, role: 'assistant', parts: [...said, ...calls], ending: 'stop' };
        }
        case 'tool': {
          const part = { type: 'tool-result', toolCallId: from.id, name: 'read_file', status: 'ok' } as const;
          return { ...base, role: 'tool', parts: [{ ...part, text: from.text }] };
        }
        default:
          return from satisfies never;
      }
    }),
  );
