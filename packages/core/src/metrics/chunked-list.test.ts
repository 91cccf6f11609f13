/** The list against a plain array, under any sequence of changes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChunkedList } from './chunked-list.ts';

const change = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), value: fc.integer() }),
  fc.record({ kind: fc.constant('replace' as const), index: fc.nat(120), value: fc.integer() }),
);

it('agrees with an array after any appends and replacements, and never changes an older list', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 150 }), (changes) => {
      let list = ChunkedList.empty<number>();
      let array: readonly number[] = [];
      const older: { list: ChunkedList<number>; array: readonly number[] }[] = [];
      for (const step of changes) {
        older.push({ list, array });
        if (step.kind === 'append') {
          list = list.append(step.value);
          array = [...array, step.value];
        } else {
          list = list.replace(step.index, step.value);
          array = array.map((value, index) => (index === step.index ? step.value : value));
        }
      }
      for (const version of [...older, { list, array }]) {
        expect([...version.list]).toEqual(version.array);
        expect(version.list.length).toBe(version.array.length);
      }
      expect(array.map((_, index) => list.at(index))).toEqual(array);
      expect(list.at(array.length)).toBeUndefined();
    }),
  );
});

it('shares every untouched chunk with the list it came from', () => {
  let list = ChunkedList.empty<number>();
  for (let value = 0; value < 1000; value++) list = list.append(value);
  const changed = list.replace(500, -1);
  const differing = changed.chunks.filter((chunk, position) => chunk !== list.chunks[position]);
  expect(differing).toHaveLength(1);
  expect(differing[0]).toContain(-1);
});

it('says where each chunk begins', () => {
  let list = ChunkedList.empty<number>();
  for (let value = 0; value < 100; value++) list = list.append(value);
  expect(list.chunks.map((chunk) => chunk[0])).toEqual(
    list.chunks.map((_, position) => ChunkedList.startOf(position)),
  );
});
