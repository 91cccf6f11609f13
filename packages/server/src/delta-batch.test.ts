import { isTransient, type PublishedEvent, type TransientEvent } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeltaBatch } from './delta-batch.ts';

function delta(type: TransientEvent['type'], text: string, agentName = 'lead', step = 1): TransientEvent {
  return { type, text, agentName, turnId: 't1', step, atMs: 0 };
}
function durable(seq: number): PublishedEvent {
  return { type: 'cancel-requested', seq, agentName: 'lead', turnId: 't1', step: 1, atMs: 0 };
}

const anyEvent = fc.oneof(
  fc
    .record({
      type: fc.constantFrom('text-delta' as const, 'thought' as const, 'text-snapshot' as const),
      text: fc.string({ minLength: 1 }),
      agentName: fc.constantFrom('lead', 'sub_1'),
      step: fc.constantFrom(1, 2),
    })
    .map(({ type, text, agentName, step }) => delta(type, text, agentName, step)),
  fc.nat().map(durable),
);

/** The events with neighbouring deltas of one message joined: what a reader makes of them. */
function reading(events: readonly PublishedEvent[]): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const event of events) {
    const key = isTransient(event) ? `${event.type} ${event.agentName} ${event.step}` : `seq ${event.seq}`;
    const joins = isTransient(event) && event.type !== 'text-snapshot';
    const text = isTransient(event) ? event.text : '';
    if (joins && key === open) lines[lines.length - 1] += text;
    else lines.push(`${key}: ${text}`);
    open = joins ? key : '';
  }
  return lines;
}

describe('delta batch', () => {
  it('joins neighbouring deltas of one message', () => {
    const batch = createDeltaBatch();
    expect(batch.push(delta('text-delta', 'a'))).toEqual([]);
    expect(batch.push(delta('text-delta', 'b'))).toEqual([]);
    expect(batch.flush()).toEqual([delta('text-delta', 'ab')]);
    expect(batch.flush()).toEqual([]);
  });

  it('sends what gathered before a durable event', () => {
    const batch = createDeltaBatch();
    batch.push(delta('thought', 'hm'));
    batch.push(delta('text-delta', 'a'));
    expect(batch.push(durable(4))).toEqual([delta('thought', 'hm'), delta('text-delta', 'a'), durable(4)]);
  });

  it('keeps the texts of two agents apart', () => {
    const batch = createDeltaBatch();
    batch.push(delta('text-delta', 'a'));
    batch.push(delta('text-delta', 'b', 'sub_1'));
    batch.push(delta('text-delta', 'c'));
    expect(batch.flush().map((event) => isTransient(event) && event.text)).toEqual(['a', 'b', 'c']);
  });

  it('changes neither order nor text, whenever it is flushed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyEvent, fc.boolean())), (script) => {
        const batch = createDeltaBatch();
        const sent: PublishedEvent[] = [];
        for (const [event, flushAfter] of script) {
          sent.push(...batch.push(event));
          if (flushAfter) sent.push(...batch.flush());
        }
        sent.push(...batch.flush());
        expect(reading(sent)).toEqual(reading(script.map(([event]) => event)));
      }),
    );
  });
});
