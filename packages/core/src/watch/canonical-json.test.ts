/** One spelling for texts that mean the same, different ones for all others. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The value as JSON in another hand: keys turned round, blanks, escapes, numbers in another form. */
function respell(value: Json): string {
  if (typeof value === 'number') return respellNumber(value);
  if (typeof value === 'string') return respellString(value);
  if (Array.isArray(value)) return `[ ${value.map(respell).join(' ,\n')} ]`;
  if (value === null || typeof value === 'boolean') return `${value}`;
  const members = Object.entries(value).toReversed();
  return `{\t${members.map(([key, member]) => `${respellString(key)} : ${respell(member)}`).join(' , ')}\r\n}`;
}

function respellString(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

function respellNumber(value: number): string {
  const plain = JSON.stringify(value);
  if (plain.includes('e')) return plain.replace('e', 'E');
  return plain.includes('.') ? `${plain}00` : `${plain}.0e+0`;
}

/** Sorted keys all the way down: equal exactly for equal values. */
function sorted(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`).join()}}`;
}

const jsonValue = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe('canonicalJson', () => {
  it('ignores key order, whitespace and escapes', () => {
    const spellings = [
      '{"path":"dup.txt","content":"written by the model"}',
      '{"content":"written by the model","path":"dup.txt"}',
      '{ "content" : "written by the model",\n  "path" : "dup\\u002etxt" }',
    ];
    expect(new Set(spellings.map(canonicalJson)).size).toBe(1);
  });

  it('ignores the form of a number but none of its digits', () => {
    expect(new Set(['1', '1.0', '1e0', '10e-1', '0.1E+1'].map(canonicalJson)).size).toBe(1);
    expect(new Set(['0', '-0', '0.000', '0e9'].map(canonicalJson)).size).toBe(1);
    expect(canonicalJson('100')).not.toBe(canonicalJson('10'));
    expect(canonicalJson('-1')).not.toBe(canonicalJson('1'));
    const gaia = '{"source_id":5853498713190525696}';
    const neighbour = '{"source_id":5853498713190525697}';
    expect(JSON.parse(gaia)).toEqual(JSON.parse(neighbour));
    expect(canonicalJson(gaia)).not.toBe(canonicalJson(neighbour));
    expect(canonicalJson('1e400')).not.toBe(canonicalJson('null'));
  });

  it('keeps kinds apart: a number, its text, and what only looks like a key', () => {
    const different = ['1', '"1"', '[1]', 'null', '"null"', '{}', '[]', '{"1":null}', '{"a":{}}', '{"a":[]}'];
    expect(new Set(different.map(canonicalJson)).size).toBe(different.length);
  });

  it('lets the last of a repeated key count, as parsers do', () => {
    expect(canonicalJson('{"a":1,"b":2,"a":3}')).toBe(canonicalJson('{"b":2,"a":3}'));
  });

  it('leaves what is no JSON as it is', () => {
    for (const text of ['', '{', '{"a":1}x', "{'a':1}", 'NaN', '{"a":01}', '\ufeff{}']) {
      expect(canonicalJson(text)).toBe(text);
    }
  });

  it('leaves what is nested too deep as it is, without running out of stack', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(canonicalJson(deep)).toBe(deep);
  });

  it('is the same for every spelling of a value', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(canonicalJson(respell(value))).toBe(canonicalJson(JSON.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for two values only when they are equal', () => {
    const small = fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(small, small, (one, other) => {
        const same = canonicalJson(JSON.stringify(one)) === canonicalJson(JSON.stringify(other));
        expect(same).toBe(sorted(one) === sorted(other));
      }),
      { numRuns: 2_000 },
    );
  });
});
