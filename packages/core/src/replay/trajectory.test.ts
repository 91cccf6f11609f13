/** Reading recorded histories: what comes out, and what is said of what cannot be read. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../message/message.ts';
import { estimateTokens } from '../tokens/estimate.ts';
import { parseTrajectory } from './trajectory.ts';

const lines = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const read = (text: string) => {
  const parsed = parseTrajectory(text, estimateTokens);
  return parsed.kind === 'parsed' ? parsed.messages : expect.fail(`${parsed.line}: ${parsed.reason}`);
};

describe('parseTrajectory', () => {
  it('reads lines, arrays and objects that hold messages, with BOM, CRLF and blank lines', () => {
    const [a, b] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    for (const text of [
      lines(a, b),
      JSON.stringify([a, b]),
      JSON.stringify({ messages: [a, b] }),
      `\uFEFF${lines(a)}\r\n\r\n${lines(b)}\r\n`,
    ])
      expect(read(text).map(textOf)).toEqual(['a', 'b']);
  });

  it('joins results to the names of their calls, and keeps reasoning and arguments as they are', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'grep', arguments: '{"q": 1}' } };
    const [, reply, result] = read(
      lines(
        { role: 'user', content: 'q' },
        { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'hm' },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'found' }] },
      ),
    );
    expect(reply?.parts).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'tool-call', toolCallId: 'c1', name: 'grep', arguments: '{"q": 1}' },
    ]);
    expect(result?.parts[0]).toMatchObject({ name: 'grep', text: 'found' });
  });

  it('counts an image as what providers charge, not as its encoding, and two as two', () => {
    const image = {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUg'.repeat(20_000)}` },
    };
    const text = { type: 'text', text: 'what is in this picture' };
    const [one, two] = read(
      lines({ role: 'user', content: [text, image] }, { role: 'user', content: [text, image, image] }),
    );
    expect(one?.tokens).toBeGreaterThan(500);
    expect(one?.tokens).toBeLessThan(3_000);
    expect((two?.tokens ?? 0) - (one?.tokens ?? 0)).toBeGreaterThan(900);
    expect(textOf(one as NonNullable<typeof one>)).not.toContain('iVBOR');
  });

  it.each([
    ['', 1, 'no messages'],
    ['{"role":"user","content":"a"}\n{oops', 2, 'no JSON'],
    ['{"role":"user","content":"a"}\n{"role":"robot"}', 2, 'robot'],
    ['{"role":"user","content":7}', 1, 'content'],
    ['[{"role":"user","content":"a"},\n{"content":"b"}]', 1, 'no role'],
    ['{"role":"assistant","tool_calls":[{"id":"a"}]}', 1, 'without a name'],
  ])('says line and reason of what it cannot read: %j', (text, line, reason) => {
    expect(parseTrajectory(text, estimateTokens)).toMatchObject({
      kind: 'unreadable',
      line,
      reason: expect.stringContaining(reason),
    });
  });
});
