/** A handed-out list never changes, whatever is appended to it or to its relatives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History } from './history.ts';

describe('History', () => {
  it('keeps every list that was ever handed out, also when two grow from the same one', () => {
    const growth = fc.array(fc.record({ from: fc.nat(), item: fc.integer() }), { maxLength: 60 });
    fc.assert(
      fc.property(growth, (steps) => {
        const lists = [History.empty<number>()];
        const plain: number[][] = [[]];
        for (const { from, item } of steps) {
          const index = from % lists.length;
          lists.push((lists[index] ?? History.empty<number>()).append(item));
          plain.push([...(plain[index] ?? []), item]);
        }
        expect(lists.map((list) => [...list])).toEqual(plain);
        expect(lists.map((list) => list.at(-1))).toEqual(plain.map((list) => list.at(-1)));
      }),
    );
  });

  it('reads by index from either end and gives nothing outside', () => {
    const list = History.of(['a', 'b', 'c']);
    expect([list.at(0), list.at(-1), list.at(3), list.at(-4)]).toEqual(['a', 'c', undefined, undefined]);
    expect(list.slice(1)).toEqual(['b', 'c']);
  });

  it('does not show what was appended to a longer relative', () => {
    const short = History.of([1]);
    short.append(2);
    expect([short.at(1), short.slice(0), [...short]]).toEqual([undefined, [1], [1]]);
  });

  it('knows whether it began as another one, shared or copied', () => {
    const first = History.of([1, 2]);
    const grown = first.append(3);
    expect([grown.startsWith(first), first.startsWith(grown), grown.startsWith(History.of([1, 2]))]).toEqual([
      true,
      false,
      true,
    ]);
    const other = first.append(9);
    expect([
      other.startsWith(grown),
      other.startsWith(first),
      History.of([1, 5, 3]).startsWith(first),
    ]).toEqual([false, true, false]);
  });
});
