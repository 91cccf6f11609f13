import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from './json-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('readJson', () => {
  it('gives any well-formed value back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10, stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('\\u0000') && !text.includes('"__proto__"'));
        expect(readJson(bytes(text))).toEqual({ kind: 'value', value: JSON.parse(text) });
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
        expect(['value', 'fault']).toContain(readJson(garbage).kind);
      }),
    );
  });

  it('takes 64 levels and refuses 65', () => {
    expect(readJson(bytes(nested(64))).kind).toBe('value');
    expect(readJson(bytes(nested(65)))).toMatchObject({
      fault: { message: expect.stringContaining('deeper than 64') },
    });
  });

  it('refuses a hundred thousand levels without recursion', () => {
    expect(readJson(bytes('[{"a":'.repeat(100_000))).kind).toBe('fault');
  });

  it('does not count brackets inside of strings', () => {
    const text = JSON.stringify(`${nested(100)} \\" ${nested(100)}`);
    expect(readJson(bytes(text)).kind).toBe('value');
  });

  it.each([
    ['half of a surrogate pair', '{"a":{"b":["ok","\\ud83d"]}}', 'a.b.1'],
    ['the other half', '{"text":"x\\ude00"}', 'text'],
    ['a null character', '{"text":"a\\u0000b"}', 'text'],
    ['half a pair in a key', '{"a":{"\\ud800":1}}', 'a'],
    ['a __proto__ key', '{"metadata":{"__proto__":{"admin":true}}}', 'metadata'],
  ])('names the place of %s', (_what, text, at) => {
    expect(readJson(bytes(text))).toMatchObject({ kind: 'fault', fault: { at } });
  });

  it('takes a whole pair written as escapes', () => {
    expect(readJson(bytes('"\\ud83d\\ude00"'))).toEqual({ kind: 'value', value: '😀' });
  });

  it.each([
    ['an open object', '{"message": '],
    ['nothing', ''],
    ['words', 'hello'],
    ['a trailing comma', '{"a":1,}'],
    ['two documents', '{} {}'],
  ])('says that %s is not JSON', (_what, text) => {
    expect(readJson(bytes(text))).toMatchObject({ kind: 'fault', fault: { at: '' } });
  });

  it('refuses bytes that are not UTF-8 rather than replacing them', () => {
    expect(readJson(Uint8Array.from([0x22, 0xff, 0x22]))).toMatchObject({
      fault: { message: expect.stringContaining('UTF-8') },
    });
  });
});
