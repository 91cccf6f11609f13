import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

describe('repairJson', () => {
  it.each([
    ['single quotes', "{'path': 'a.txt'}", { path: 'a.txt' }],
    ['a name without quotes', '{path: "a.txt"}', { path: 'a.txt' }],
    ['a surplus comma', '{"path": "a.txt",}', { path: 'a.txt' }],
    ['a missing comma', '{"offset": 1 "limit": 2}', { offset: 1, limit: 2 }],
    ['a raw line break in a string', '{"q": "one\ntwo"}', { q: 'one\ntwo' }],
    ["Python's literals", '{"a": True, "b": None}', { a: true, b: null }],
    ['typographic quotes', '{“path”: “a.txt”}', { path: 'a.txt' }],
    ['quotes that are all escaped', '{\\"path\\": \\"a.txt\\"}', { path: 'a.txt' }],
  ])('repairs %s', (_, text, value) => {
    expect(JSON.parse(repairJson(text) ?? 'null')).toEqual(value);
  });

  it.each([
    ['invents a value', '{"path": }'],
    ['closes a string that was cut off', '{"path": "a.tx'],
    ['closes an object that was cut off', '{"path": "a.txt"'],
    ['drops a bracket', '{"path": "a.txt"}}'],
    ['drops a backslash', '{"path": "C:\\x.txt"}'],
    ['decides which quotes belong to the text', '{"q": "the "red" star"}'],
    ['drops a comment', '{"path": "a.txt" /* or b.txt */}'],
    ['drops what stands around it', 'Sure! {"path": "a.txt"}'],
    ['joins two strings', '{"path": "a" + "b"}'],
    ['drops an ellipsis', '{"todos": [1, 2, ...]}'],
    ['makes a list of two objects', '{"a": 1}\n{"a": 2}'],
  ])('gives up where the repair %s', (_, text) => {
    expect(repairJson(text)).toBeNull();
  });

  it('gives up, and does not throw, on bottomless nesting', () => {
    expect(repairJson('['.repeat(100_000))).toBeNull();
  });
});
