/** The loop guard stops what goes in circles and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CallGuard,
  type CallVerdict,
  guardedCall,
  judgeCall,
  NEW_CALL_GUARD,
  recordCall,
  recordCalls,
  recordOutcome,
} from './duplicate-calls.ts';

/** One step of a story: a call and what it gives if it runs. `poll` is said by the name. */
type Asked = { readonly name: string; readonly result: string; readonly arguments?: string };

/** Calls one after the other, each with its result before the next; the verdict of each. */
function verdicts(story: readonly Asked[]): readonly CallVerdict[] {
  let guard = NEW_CALL_GUARD;
  return story.map((asked, index) => {
    const call = guardedCall(
      { toolCallId: `c${index}`, name: asked.name, arguments: asked.arguments ?? '{}' },
      asked.name.startsWith('poll'),
    );
    const verdict = judgeCall(guard, call);
    guard = recordOutcome(recordCall(guard, call), call.toolCallId, asked.result);
    return verdict;
  });
}

const kinds = (story: readonly Asked[]) => verdicts(story).map(({ kind }) => kind);
const same = (...names: readonly string[]): readonly Asked[] => names.map((name) => ({ name, result: name }));
const rounds = (count: number, ...names: readonly string[]) =>
  Array.from({ length: count }, () => same(...names)).flat();

describe('the same call in a row', () => {
  it('runs twice; the third and later are not run, whatever the order of keys and the results', () => {
    const spellings = [
      '{"path":"dup.txt","content":"written by the model"}',
      '{"content":"written by the model","path":"dup.txt"}',
      '{ "content" : "written by the model",  "path" : "dup.txt" }',
      '{"path":"dup.txt","content":"written by the model"}',
    ];
    const story = spellings.map((text, index) => ({
      name: 'write_file',
      arguments: text,
      result: `written ${index}`,
    }));
    expect(verdicts(story)).toEqual([
      { kind: 'run' },
      { kind: 'run' },
      { kind: 'duplicate', times: 3 },
      { kind: 'duplicate', times: 4 },
    ]);
  });

  it('runs when a different call stood in between', () => {
    expect(kinds(same('p', 'p', 'q', 'p', 'p', 'q'))).toEqual(Array(6).fill('run'));
    expect(kinds(same('p', 'p', 'p', 'q', 'p', 'p', 'p'))).toEqual([
      ...['run', 'run', 'duplicate', 'run', 'run', 'run', 'duplicate'],
    ]);
  });

  it('is another call when the arguments or the tool differ', () => {
    const pages = [1, 2, 3, 4].map((page) => ({
      name: 'search',
      arguments: `{"page":${page}}`,
      result: 'x',
    }));
    expect(kinds(pages)).toEqual(Array(4).fill('run'));
    expect(kinds(same('a', 'b', 'c', 'd'))).toEqual(Array(4).fill('run'));
  });

  it('counts calls of one message as they come', () => {
    const call = (id: string) => guardedCall({ toolCallId: id, name: 'search', arguments: '{}' }, false);
    const { guard, verdicts: three } = recordCalls(NEW_CALL_GUARD, [call('a'), call('b'), call('c')]);
    expect(three.map(({ kind }) => kind)).toEqual(['run', 'run', 'duplicate']);
    expect(guard.times).toBe(3);
  });

  it('compares invalid arguments as text', () => {
    const broken = (text: string) => ({ name: 'search', arguments: text, result: 'invalid' });
    expect(kinds([broken('{"a":'), broken('{"a":'), broken('{"a":')]).at(-1)).toBe('duplicate');
    expect(kinds([broken('{"a":'), broken('{"a": '), broken('{"a":')]).at(-1)).toBe('run');
  });
});

describe('polls', () => {
  const polls = (...results: readonly string[]) => results.map((result) => ({ name: 'poll', result }));

  it('run as long as their result changes', () => {
    expect(kinds(polls('10 %', '20 %', '30 %', '40 %', '50 %', '60 %'))).toEqual(Array(6).fill('run'));
  });

  it('are stopped at the third ask without a change, counted from the last change', () => {
    expect(kinds(polls('10 %', '10 %', '10 %'))).toEqual(['run', 'run', 'duplicate']);
    expect(kinds(polls('10 %', '20 %', '20 %', '20 %'))).toEqual(['run', 'run', 'run', 'duplicate']);
    expect(kinds(polls('10 %', '10 %', '10 %', '20 %')).at(-1)).toBe('duplicate');
  });

  it('may swing between two answers: that is change too', () => {
    const swing = polls(...Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'a' : 'b')));
    expect(kinds(swing)).toEqual(Array(12).fill('run'));
  });

  it('show change whatever the order in which results of one message come', () => {
    const call = (id: string) => guardedCall({ toolCallId: id, name: 'poll', arguments: '{}' }, true);
    const { guard } = recordCalls(NEW_CALL_GUARD, [call('a'), call('b')]);
    const late = recordOutcome(recordOutcome(guard, 'b', '20 %'), 'a', '10 %');
    expect(late.times).toBe(1);
    expect(judgeCall(late, call('c'))).toEqual({ kind: 'run' });
  });
});

describe('cycles', () => {
  it('of two calls are stopped after three rounds with the same results, and stay stopped', () => {
    expect(verdicts(rounds(5, 'a', 'b'))).toEqual([
      ...Array(6).fill({ kind: 'run' }),
      ...Array(4).fill({ kind: 'cycle', length: 2 }),
    ]);
  });

  it.each([2, 3, 4, 5])('of %i different calls are caught', (length) => {
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, length);
    const all = verdicts(rounds(4, ...names));
    expect(all.slice(0, 3 * length).every(({ kind }) => kind === 'run')).toBe(true);
    expect(all.slice(3 * length)).toEqual(Array(length).fill({ kind: 'cycle', length }));
  });

  it('go on where a result changed: edit, test, edit, test', () => {
    const story = Array.from({ length: 8 }, (_, index) => [
      { name: 'edit', result: 'ok' },
      { name: 'test', result: `${8 - index} failures` },
    ]).flat();
    expect(kinds(story)).toEqual(Array(16).fill('run'));
  });

  it('are forgotten when another call breaks them', () => {
    const story = [...rounds(3, 'a', 'b'), ...same('a', 'c', 'a', 'b')];
    expect(kinds(story)).toEqual([...Array(6).fill('run'), 'cycle', 'run', 'run', 'run']);
  });

  it('take "unchanged since the last read" for the same result', () => {
    const story = [0, 1, 2, 3].flatMap((round) =>
      ['a', 'b'].map((name) => ({ name, result: round === 0 ? name : 'unchanged' })),
    );
    expect(kinds(story)).toEqual([...Array(6).fill('run'), 'cycle', 'cycle']);
  });

  it('are not seen while results are still to come', () => {
    const call = (name: string, index: number) =>
      guardedCall({ toolCallId: `${name}${index}`, name, arguments: '{}' }, false);
    const message = [0, 1, 2, 3].flatMap((round) => [call('a', round), call('b', round)]);
    expect(recordCalls(NEW_CALL_GUARD, message).verdicts).toEqual(Array(8).fill({ kind: 'run' }));
  });
});

describe('over generated calls', () => {
  const asked = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'poll'),
    result: fc.constantFrom('x', 'x', 'x', 'y'),
  });
  const story = fc.array(asked, { maxLength: 60 });

  /** The rules said again over the whole history, without a window. */
  function expected(asks: readonly Asked[]): readonly CallVerdict['kind'][] {
    const past: { name: string; result: string }[] = [];
    return asks.map((ask) => {
      let times = 1;
      for (let index = past.length - 1; index >= 0 && past[index]?.name === ask.name; index--) {
        times++;
        if (ask.name === 'poll' && past[index - 1]?.name === 'poll') {
          if (past[index - 1]?.result !== past[index]?.result) break;
        }
      }
      const word = (from: number, length: number) => JSON.stringify(past.slice(from, from + length));
      const length = [2, 3, 4, 5].find((candidate) => {
        const start = past.length - 3 * candidate;
        if (start < 0 || past[start]?.name !== ask.name) return false;
        const names = new Set(past.slice(start).map(({ name }) => name));
        const first = word(start, candidate);
        return (
          names.size > 1 &&
          first === word(start + candidate, candidate) &&
          first === word(start + 2 * candidate, candidate)
        );
      });
      const kind = times >= 3 ? 'duplicate' : length === undefined ? 'run' : 'cycle';
      const repeated = past[past.length - (kind === 'cycle' ? (length ?? 1) : 1)];
      past.push({ name: ask.name, result: kind === 'run' ? ask.result : (repeated?.result ?? '') });
      return kind;
    });
  }

  it('judges as the rules say over the whole history', () => {
    fc.assert(
      fc.property(story, (asks) => {
        expect(kinds(asks)).toEqual(expected(asks));
      }),
      { numRuns: 3_000 },
    );
  });

  it('judges planted cycles as the rules say', () => {
    const planted = fc
      .tuple(story, fc.array(asked, { minLength: 1, maxLength: 6 }), fc.integer({ min: 2, max: 5 }), story)
      .map(([before, cycle, count, behind]) => [...before, ...Array(count).fill(cycle).flat(), ...behind]);
    fc.assert(
      fc.property(planted, (asks) => {
        expect(kinds(asks)).toEqual(expected(asks));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never refuses a call that was not asked for twice before, and in a story of new results no poll', () => {
    fc.assert(
      fc.property(story, (asks) => {
        const fresh = asks.map((ask, index) => ({ ...ask, result: `${index}` }));
        verdicts(asks).forEach((verdict, index) => {
          const before = asks.slice(0, index).filter(({ name }) => name === asks[index]?.name).length;
          if (before < 2) expect(verdict.kind).toBe('run');
        });
        kinds(fresh).forEach((kind, index) => {
          if (asks[index]?.name === 'poll') expect(kind).toBe('run');
          expect(kind).not.toBe('cycle');
        });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a small state of plain JSON that goes on after a restart as before', () => {
    fc.assert(
      fc.property(story, (asks) => {
        let guard: CallGuard = NEW_CALL_GUARD;
        asks.forEach((ask, index) => {
          const call = guardedCall(
            { toolCallId: `c${index}`, name: ask.name, arguments: '{}' },
            ask.name === 'poll',
          );
          guard = recordOutcome(recordCall(guard, call), call.toolCallId, ask.result);
          expect(JSON.parse(JSON.stringify(guard))).toEqual(guard);
          expect(guard.recent.length).toBeLessThanOrEqual(15);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('takes an outcome of a call that it does not know for nothing', () => {
    expect(recordOutcome(NEW_CALL_GUARD, 'never asked', 'x')).toBe(NEW_CALL_GUARD);
  });
});
