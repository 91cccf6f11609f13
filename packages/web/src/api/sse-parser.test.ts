/** Server-sent events, however they are cut and ended. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSseParser, type SseFrame } from './sse-parser.ts';

function parse(pieces: readonly string[]): readonly SseFrame[] {
  const parser = createSseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

it('reads id, event and data, and a frame without an id', () => {
  expect(parse(['id: 7\nevent: step\ndata: {"n":1}\n\nevent: text_delta\ndata: {"text":"a"}\n\n'])).toEqual([
    { id: '7', event: 'step', data: '{"n":1}' },
    { id: null, event: 'text_delta', data: '{"text":"a"}' },
  ]);
});

it('skips comments, unknown fields and frames without data', () => {
  expect(parse([': heartbeat\n\nretry: 500\n\nfoo: bar\nevent: x\n\ndata: y\n\n'])).toEqual([
    { id: null, event: 'message', data: 'y' },
  ]);
});

it('joins several data lines and takes one space after the colon only', () => {
  expect(parse(['data:a\ndata:  b\ndata\n\n'])).toEqual([{ id: null, event: 'message', data: 'a\n b\n' }]);
});

it('leaves out a byte order mark and an unfinished frame', () => {
  expect(parse(['\uFEFFdata: a\n\ndata: unfinished\n'])).toEqual([{ id: null, event: 'message', data: 'a' }]);
});

it('gives the same frames wherever the text is cut, with any line ends', () => {
  const payload = fc.oneof(fc.string(), fc.constantFrom('data: x', 'id: 9', '\u2028', '\r\n\r\n', '望远镜'));
  const frame = fc.record({ id: fc.option(fc.nat()), text: payload });
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(frame), lineEnd, fc.array(fc.nat(400)), (frames, end, cuts) => {
      const text = frames
        .map(({ id, text: own }) => {
          const idLine = id === null ? '' : `id: ${id}${end}`;
          return `: beat${end}${end}${idLine}event: message${end}data: ${JSON.stringify(own)}${end}${end}`;
        })
        .join('');
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((to, index) => text.slice(at[index], to));
      // A lone carriage return at the very end stays open until more comes: so add one more line end.
      const expected = frames.map(({ id, text: own }) => ({
        id: id === null ? null : `${id}`,
        event: 'message',
        data: JSON.stringify(own),
      }));
      expect(parse([...pieces, end])).toEqual(expected);
    }),
  );
});
