import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCharacters, fitOutput, offsetOf } from './output.ts';

const MARKER = /\n\[… (\d+) characters left out here; .*? …\]\n/;

function parts(text: string) {
  const found = MARKER.exec(text);
  if (found === null) return expect.fail(`no marker in ${text}`);
  const [marker, leftOut] = found;
  return {
    head: text.slice(0, found.index),
    tail: text.slice(found.index + marker.length),
    leftOut: Number(leftOut),
    marker,
  };
}

describe('fitOutput', () => {
  it('leaves alone what fits, counted in characters and not in UTF-16 units', () => {
    const text = '🌌'.repeat(300);
    expect(fitOutput(text, 300, 'm7', 'en')).toEqual({ text, truncated: false, leftOutChars: 0 });
    expect(fitOutput(text, 299, 'm7', 'en').truncated).toBe(true);
  });

  it('keeps head and tail of a long text, with the count, the ref and the remedy between them', () => {
    const text = `HEAD ${'🌌'.repeat(1500)} MIDDLE ${'🪐x'.repeat(1500)} TAIL`;
    const fitted = fitOutput(text, 1001, 'm7', 'en');
    const { head, tail, leftOut, marker } = parts(fitted.text);
    expect(head.startsWith('HEAD')).toBe(true);
    expect(tail.endsWith('TAIL')).toBe(true);
    expect(fitted.text).not.toContain('MIDDLE');
    expect(leftOut).toBe(fitted.leftOutChars);
    expect(marker).toContain(`recall_context {"ref":"m7","offset":${countCharacters(head)}}`);
  });

  it('says it in Chinese', () => {
    const fitted = fitOutput('星'.repeat(1000), 400, 'm12', 'zh');
    expect(fitted.text).toContain(`此处省略 ${fitted.leftOutChars} 个字符`);
    expect(fitted.text).toContain('"ref":"m12"');
  });

  it('never cuts a family, a flag, an accent or a line end in two', () => {
    for (const cluster of ['👩‍👩‍👧‍👦', '🇨🇳', 'e\u0301\u0323', '👍🏽', '\r\n', '한']) {
      for (let shift = 0; shift < cluster.length; shift++) {
        const text = `${'-'.repeat(shift)}${`${cluster}-`.repeat(600)}`;
        const { head, tail } = parts(fitOutput(text, 500, 'm1', 'en').text);
        for (const kept of [head, tail]) expect(kept.replaceAll(cluster, '').replaceAll('-', '')).toBe('');
      }
    }
  });

  it('cuts an endless cluster between code points rather than losing all of it', () => {
    const { head, tail } = parts(fitOutput(`e${'\u0301'.repeat(5000)}`, 1000, 'm1', 'en').text);
    expect(head.length).toBeGreaterThan(300);
    expect(tail.length).toBeGreaterThan(300);
  });

  it('loses no character unaccounted for, splits none, and keeps to the limit', () => {
    const unit = fc.constantFrom('a', '星', '🌌', '\n', '\u0301', '\u200d', '🇨', 'é');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 900 }), fc.integer({ min: 250, max: 700 }), (text, limit) => {
        const fitted = fitOutput(text, limit, 'm123', 'en');
        expect(countCharacters(fitted.text)).toBeLessThanOrEqual(limit);
        expect(fitted.text.isWellFormed()).toBe(true);
        expect(fitted.truncated).toBe(countCharacters(text) > limit);
        if (!fitted.truncated) return;
        const { head, tail, leftOut } = parts(fitted.text);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(countCharacters(head) + leftOut + countCharacters(tail)).toBe(countCharacters(text));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the marker alone where the limit has room for no more', () => {
    const { head, tail, leftOut } = parts(fitOutput('a'.repeat(50), 3, 'm1', 'en').text);
    expect([head, tail, leftOut]).toEqual(['', '', 50]);
  });

  it('is quick with ten million characters', () => {
    expect(fitOutput('🌌a'.repeat(5_000_000), 4000, 'm1', 'en').leftOutChars).toBeGreaterThan(9_990_000);
  });
});

describe('countCharacters and offsetOf', () => {
  it('agree with iterating over code points, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, count) => {
        const characters = [...text];
        expect(countCharacters(text)).toBe(characters.length);
        expect(offsetOf(text, count)).toBe(characters.slice(0, count).join('').length);
      }),
    );
    expect(countCharacters('\ud83c\ud83c\udf0c\udf0c')).toBe(3);
  });
});
