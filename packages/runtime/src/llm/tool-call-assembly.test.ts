/** Fragments become calls, whatever providers do with index, id and name (field-reports.md I, J). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToolCallAssembly, type ToolCallDelta } from './tool-call-assembly.ts';

const fragment = (
  index: number | null,
  id: string | null,
  name: string | null,
  text: string | null,
): ToolCallDelta => ({ index, id, name, arguments: text });

function assemble(deltas: readonly ToolCallDelta[], takenIds: readonly string[] = []) {
  let count = 0;
  const assembly = createToolCallAssembly(() => `new-${++count}`, new Set(takenIds));
  for (const delta of deltas) assembly.add(delta);
  return assembly.calls().map((call) => [call.toolCallId, call.name, call.arguments]);
}

describe('tool-call assembly', () => {
  it.each<[string, readonly ToolCallDelta[], readonly (readonly string[])[]]>([
    [
      'joins fragments by index',
      [
        fragment(0, 'a', 'f', ''),
        fragment(1, 'b', 'g', ''),
        fragment(0, null, null, '{"x"'),
        fragment(1, null, null, '{}'),
        fragment(0, null, null, ':1}'),
      ],
      [
        ['a', 'f', '{"x":1}'],
        ['b', 'g', '{}'],
      ],
    ],
    [
      'joins fragments by id where there is no index',
      [
        fragment(null, 'a', 'f', '{"x"'),
        fragment(null, 'b', 'g', '{'),
        fragment(null, 'a', null, ':1}'),
        fragment(null, 'b', null, '}'),
      ],
      [
        ['a', 'f', '{"x":1}'],
        ['b', 'g', '{}'],
      ],
    ],
    [
      'gives fragments without index and id to the call before them',
      [fragment(null, 'a', 'f', '{"x"'), fragment(null, null, null, ':1}')],
      [['a', 'f', '{"x":1}']],
    ],
    [
      'takes a second id on an index for a second call',
      [fragment(0, 'a', 'f', '{"x":1}'), fragment(0, 'b', 'f', '{"x"'), fragment(0, null, null, ':2}')],
      [
        ['a', 'f', '{"x":1}'],
        ['b', 'f', '{"x":2}'],
      ],
    ],
    [
      'finds the first call again when its id comes back on a shared index',
      [
        fragment(0, 'a', 'f', '{"x"'),
        fragment(0, 'b', 'g', '{'),
        fragment(0, 'a', null, ':1}'),
        fragment(0, 'b', null, '}'),
      ],
      [
        ['a', 'f', '{"x":1}'],
        ['b', 'g', '{}'],
      ],
    ],
    [
      'takes an id that comes late',
      [fragment(0, null, 'f', '{'), fragment(0, 'a', null, '}')],
      [['a', 'f', '{}']],
    ],
    [
      'takes a name that comes in pieces',
      [fragment(0, 'a', 'read', ''), fragment(0, null, '_file', ''), fragment(0, null, null, '{}')],
      [['a', 'read_file', '{}']],
    ],
    [
      'takes a name that comes whole with every fragment, or growing',
      [
        fragment(0, 'a', 'read', null),
        fragment(0, 'a', 'read_file', '{"x"'),
        fragment(0, 'a', 'read_file', ':1}'),
      ],
      [['a', 'read_file', '{"x":1}']],
    ],
    [
      'takes a name that comes behind the arguments',
      [fragment(0, 'a', null, '{}'), fragment(0, null, 'f', null)],
      [['a', 'f', '{}']],
    ],
    [
      'tells whole calls on one index without ids apart',
      [fragment(0, null, 'f', '{"x":1}'), fragment(0, null, 'f', '{"x":2}'), fragment(0, null, 'g', '{}')],
      [
        ['new-1', 'f', '{"x":1}'],
        ['new-2', 'f', '{"x":2}'],
        ['new-3', 'g', '{}'],
      ],
    ],
    [
      'passes over the whole call said once more',
      [fragment(0, 'a', 'f', '{"x"'), fragment(0, null, null, ':1}'), fragment(0, 'a', 'f', '{"x":1}')],
      [['a', 'f', '{"x":1}']],
    ],
    [
      'gives a new id to the second of two calls with one id',
      [fragment(0, 'a', 'f', '{"x":1}'), fragment(1, 'a', 'f', '{"x":2}')],
      [
        ['a', 'f', '{"x":1}'],
        ['new-1', 'f', '{"x":2}'],
      ],
    ],
    [
      'gives a new id where one is missing, too long or not printable',
      [
        fragment(0, null, 'f', '{}'),
        fragment(1, 'x'.repeat(300), 'f', '{}'),
        fragment(2, 'a\nb', 'f', '{}'),
        fragment(3, '编号', 'f', '{}'),
      ],
      [
        ['new-1', 'f', '{}'],
        ['new-2', 'f', '{}'],
        ['new-3', 'f', '{}'],
        ['new-4', 'f', '{}'],
      ],
    ],
    [
      'sorts by index, gaps allowed',
      [fragment(5, 'b', 'g', '{}'), fragment(2, 'a', 'f', '{}')],
      [
        ['a', 'f', '{}'],
        ['b', 'g', '{}'],
      ],
    ],
    [
      'leaves out a call of which nothing came',
      [fragment(0, 'a', null, null), fragment(1, 'b', 'f', null)],
      [['b', 'f', '']],
    ],
    [
      'leaves arguments as they are, but for halves of surrogate pairs',
      [fragment(0, 'a', 'f', '"\\"{}\\"" \ud83d'), fragment(0, null, null, '\udd2d \ud83d')],
      [['a', 'f', '"\\"{}\\"" 🔭 \ufffd']],
    ],
  ])('%s', (_claim, deltas, expected) => {
    expect(assemble(deltas)).toEqual(expected);
  });

  it('does not use an id that is taken, nor a new one that is', () => {
    expect(assemble([fragment(0, 'a', 'f', '{}')], ['a', 'new-1'])).toEqual([['new-2', 'f', '{}']]);
  });

  it('says so when new ids are not new', () => {
    const assembly = createToolCallAssembly(() => 'same');
    assembly.add(fragment(0, null, 'f', '{}'));
    assembly.add(fragment(1, null, 'f', '{}'));
    expect(() => assembly.calls()).toThrow('`ids` repeats itself');
  });

  it('gives the same calls for any way to cut and mix the fragments of indexed calls', () => {
    const call = fc.record({ name: fc.constantFrom('search', 'read_file'), text: fc.json({ maxDepth: 1 }) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), fc.infiniteStream(fc.nat()), (calls, choices) => {
        const next = (below: number) => (choices.next().value ?? 0) % below;
        const queues = calls.map(({ name, text }, index) => {
          const list = [fragment(index, `id-${index}`, name, '')];
          for (let start = 0; start < text.length; ) {
            const end = start + 1 + next(5);
            // As DashScope does it: the id of a continuation is empty, which arrives here as null.
            list.push(fragment(index, null, null, text.slice(start, end)));
            start = end;
          }
          return list;
        });
        const mixed: ToolCallDelta[] = [];
        for (let open = queues; open.length > 0; open = open.filter((queue) => queue.length > 0)) {
          const delta = open[next(open.length)]?.shift();
          if (delta !== undefined) mixed.push(delta);
        }
        const expected = calls.map(({ name, text }, index) => [`id-${index}`, name, text]);
        expect(assemble(mixed)).toEqual(expected);
      }),
    );
  });

  it('never gives one id twice, whatever the fragments are', () => {
    const delta = fc.record({
      index: fc.option(fc.nat(3)),
      id: fc.option(fc.constantFrom('a', 'b', 'new-1')),
      name: fc.option(fc.constantFrom('f', 'g')),
      arguments: fc.option(fc.constantFrom('{}', '{', '}', '1')),
    });
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 12 }), (deltas) => {
        const ids = assemble(deltas, ['b']).map(([id]) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).not.toContain('b');
      }),
    );
  });
});
