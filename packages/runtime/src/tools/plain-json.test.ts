import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze, disarm, MAX_JSON_DEPTH } from './plain-json.ts';

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('disarm', () => {
  it('removes __proto__ at every depth and nothing else', () => {
    const value = JSON.parse(
      '{"a": [{"__proto__": {"polluted": true}, "b": 1}], "__proto__": null, "constructor": 2}',
    );
    expect(disarm(value)).toBe(true);
    expect(JSON.stringify(value)).toBe('{"a":[{"b":1}],"constructor":2}');
  });

  it('accepts 64 levels and refuses 65, also when they are very many', () => {
    expect(disarm(nested(MAX_JSON_DEPTH))).toBe(true);
    expect(disarm(nested(MAX_JSON_DEPTH + 1))).toBe(false);
    expect(disarm(nested(100_000))).toBe(false);
  });

  it('leaves a copy by assignment with a plain prototype whatever the JSON says', () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: fc.constantFrom('__proto__', 'constructor', 'prototype', 'a') }),
        (json) => {
          const value: unknown = JSON.parse(json);
          disarm(value);
          if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
          const copy: Record<string, unknown> = {};
          for (const [key, child] of Object.entries(value)) copy[key] = child;
          expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
        },
      ),
    );
  });
});

describe('deepFreeze', () => {
  it('makes every later change throw', () => {
    const value = deepFreeze({ a: [{ b: 1 }], c: 'text' });
    expect(() => Object.assign(value, { c: 'other' })).toThrow(TypeError);
    expect(() => value.a.push({ b: 2 })).toThrow(TypeError);
    expect(() => Object.assign(value.a[0] ?? {}, { b: 2 })).toThrow(TypeError);
  });

  it('leaves alone what cannot be frozen or is not plain', () => {
    const bytes = new Uint8Array(2);
    expect(deepFreeze({ bytes }).bytes).toBe(bytes);
    expect(Object.isFrozen(bytes)).toBe(false);
    expect(deepFreeze(null)).toBeNull();
  });
});
