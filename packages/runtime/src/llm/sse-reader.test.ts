/** Events come out the same, however their bytes are cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseReader, type SseEvent } from './sse-reader.ts';

function read(pieces: readonly Uint8Array[], maxEventChars?: number) {
  const events: SseEvent[] = [];
  const reader = createSseReader((event) => events.push(event), maxEventChars);
  const readable = pieces.map((piece) => reader.feed(piece));
  reader.end();
  return { events, readable };
}
const bytesOf = (text: string) => new TextEncoder().encode(text);
const dataIn = (text: string) => read([bytesOf(text)]).events.map((event) => event.data);

describe('sse reader', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['mixed line ends', 'data: a\r\n\ndata: b\n\rdata: c\r\r\n', ['a', 'b', 'c']],
    ['no space behind the colon', 'data:a\n\n', ['a']],
    ['data of several lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['comments', ': ping\n\n:\ndata: a\n\n', ['a']],
    ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
    ['other fields', 'id: 7\nretry: 10\nodd: x\ndata: a\n\n', ['a']],
    ['no empty line at the end', 'data: a', ['a']],
    ['nothing', '', []],
    ['no data', 'event: ping\n\n', []],
    ['an error field', 'error: boom\n\n', ['boom']],
    ['a bare line of JSON', '{"error":"boom"}\n', ['{"error":"boom"}']],
  ])('reads %s', (_what, text, expected) => {
    expect(dataIn(text)).toEqual(expected);
  });

  it('names the event', () => {
    expect(read([bytesOf('event: error\ndata: a\n\ndata: b\n\n')]).events).toEqual([
      { data: 'a', event: 'error' },
      { data: 'b', event: undefined },
    ]);
  });

  it('gives an event at the CR that ends it, without waiting for what follows', () => {
    const events: SseEvent[] = [];
    createSseReader((event) => events.push(event)).feed(bytesOf('data: a\r\r'));
    expect(events).toEqual([{ data: 'a', event: undefined }]);
  });

  it('takes CRLF for one line end, also when it is cut in two', () => {
    const pieces = ['data: a\r', '\ndata: b\r', '\n\r', '\ndata: c\r\n\r', '\n'].map(bytesOf);
    expect(read(pieces).events.map((event) => event.data)).toEqual(['a\nb', 'c']);
  });

  it('makes replacement characters of bytes that are no UTF-8', () => {
    expect(read([bytesOf('data: a'), Uint8Array.of(0xff, 0xe6, 0x98), bytesOf('\n\n')]).events[0]?.data).toBe(
      'a\ufffd\ufffd',
    );
  });

  it('gives the same events for any text, line ends and cuts', () => {
    const line = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, '·'));
    const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        lineEnd,
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (lines, end, sizes) => {
          const bytes = bytesOf(lines.map((text) => `data: ${text}${end}${end}`).join(''));
          const pieces: Uint8Array[] = [];
          for (let start = 0; start < bytes.length; ) {
            const size = sizes.next().value ?? 1;
            pieces.push(bytes.subarray(start, start + size));
            start += size;
          }
          const wellFormed = lines.map((text) => text.toWellFormed());
          expect(read(pieces).events.map((event) => event.data)).toEqual(wellFormed);
        },
      ),
    );
  });

  it('says when an event outgrows the limit, in one line or in many, and stays quiet then', () => {
    const long = read([bytesOf('data: 12345'), bytesOf('67890'), bytesOf('\n\ndata: a\n\n')], 12);
    expect(long).toEqual({ events: [], readable: [true, false, false] });
    const many = read([bytesOf('data: 1234\ndata: 5678\n'), bytesOf('data: 90123\n')], 12);
    expect(many.readable).toEqual([true, false]);
  });
});
