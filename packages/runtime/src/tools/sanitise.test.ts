import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './sanitise.ts';

const ESC = '\u001b';

describe('cleanText', () => {
  it.each([
    ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
    ['a link', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
    ['a window title', `${ESC}]0;title\u0007text`, 'text'],
    ['a clipboard write', `${ESC}]52;c;ZXZpbA==\u0007text`, 'text'],
    ['a device string', `${ESC}P1$r0m${ESC}\\text`, 'text'],
    ['short sequences', `${ESC}7a${ESC}(Bb${ESC}c`, 'ab'],
    ['an escape at the very end', `text${ESC}`, 'text'],
    ['an unfinished link', `${ESC}]8;;https://evil.example`, '8;;https://evil.example'],
    ['NUL, bell, backspace and delete', 'a\u0000b\u0007c\u0008d\u007fe', 'abcde'],
    ['C1 codes', 'a\u009b31mb\u0085c', 'a31mbc'],
    ['line ends of other systems', 'a\r\nb\rc\n', 'a\nb\nc\n'],
    ['half a character', 'a\ud83cb\udf0cc', 'a\ufffdb\ufffdc'],
  ])('cleans %s', (_, dirty, clean) => {
    expect(cleanText(dirty)).toBe(clean);
  });

  it('leaves tabs, line feeds, Chinese, emoji and formulas alone', () => {
    const text = '表\t值\n🪐 $\\alpha \\pm 0.1$ 👩‍🚀 é';
    expect(cleanText(text)).toBe(text);
  });

  it('leaves no control code and no half character in any text, and changes nothing the second time', () => {
    const unit = fc.oneof(
      fc.constantFrom(ESC, '[', ']', '\u0007', '\\', 'm', '\r', '\u0000', '\ud800'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const clean = cleanText(text);
        expect(clean).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(clean.isWellFormed()).toBe(true);
        expect(cleanText(clean)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });

  it('is linear in what an attacker sends', () => {
    expect(cleanText(`${ESC}]`.repeat(300_000))).toBe('');
    expect(cleanText(`${ESC}[${';'.repeat(300_000)}`)).toHaveLength(300_000);
  });
});
