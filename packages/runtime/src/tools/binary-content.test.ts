import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readableContent } from './binary-content.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('readableContent', () => {
  it('gives UTF-8 as text, without its byte order mark', () => {
    expect(readableContent(Buffer.from('\ufeff星表 🪐\r\n'), 'en')).toEqual({
      kind: 'text',
      text: '星表 🪐\n',
    });
    expect(readableContent(new Uint8Array(), 'en')).toEqual({ kind: 'text', text: '' });
  });

  it('describes bytes that are no text by kind, size and hash', () => {
    expect(readableContent(Buffer.from([0, 255, 254, 128]), 'en')).toEqual({
      kind: 'binary',
      description: '[binary content, not shown: unknown kind, 4 bytes, sha256 begins 13d4f9fcd30a4862]',
    });
  });

  it.each([
    ['FITS', latin1(`SIMPLE  =                    T${' '.repeat(40)}\0`)],
    ['PDF', latin1('%PDF-1.7\n\xe2\xe3\xcf\xd3')],
    ['PNG', latin1('\x89PNG\r\n\x1a\n\0')],
    ['gzip', latin1('\x1f\x8b\x08\0')],
    ['SQLite', latin1('SQLite format 3\0')],
    ['tar', Buffer.concat([Buffer.alloc(257), latin1('ustar')])],
    ['UTF-16 text', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('abc', 'utf16le')])],
    ['unknown kind', latin1('\xfd\xfd\xfd')],
  ])('recognises %s', (kind, bytes) => {
    const content = readableContent(bytes, 'en');
    expect(content.kind === 'binary' ? content.description : '').toContain(kind);
  });

  it('says it in Chinese', () => {
    const content = readableContent(latin1('\x89PNG\r\n\x1a\n\0'), 'zh');
    expect(content).toMatchObject({
      description: expect.stringContaining('二进制内容，不显示：PNG，9 字节'),
    });
  });

  it('lets neither NUL nor a replacement character through, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const content = readableContent(bytes, 'en');
        const shown = content.kind === 'text' ? content.text : content.description;
        expect(shown).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(shown.includes('\ufffd')).toBe(
          Buffer.from(bytes).toString('latin1').includes('\xef\xbf\xbd') && content.kind === 'text',
        );
      }),
    );
  });
});
