import type { WireEvent } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventFrame, HEARTBEAT_FRAME, retryFrame } from './event-frames.ts';
import { parseFrames } from './testing/parse-frames.ts';

const envelope = {
  session_id: 's1',
  turn_id: 't1',
  agent_name: 'lead',
  step: 1,
  ts: '2026-01-01T00:00:00.000Z',
};
const wire = (seq: number | null, type: string, fields: Record<string, unknown>): WireEvent => ({
  seq,
  type,
  data: { ...envelope, ...fields },
});

describe('eventFrame', () => {
  it('carries id, event and one line of data', () => {
    expect(eventFrame(wire(7, 'step', { n: 1 }))).toBe(
      `id: 7\nevent: step\ndata: ${JSON.stringify({ ...envelope, n: 1 })}\n\n`,
    );
  });

  it('carries no id for a transient event', () => {
    expect(eventFrame(wire(null, 'text_delta', { text: 'a' }))).toMatch(/^event: text_delta\ndata: /);
  });

  it('parses back to what was sent, whatever the payload (I29)', () => {
    const hostile = fc.constantFrom(
      '\n\ndata: x',
      '\r\nid: 9',
      '\r',
      '\u2028',
      '\u2029',
      ':',
      '\u0000',
      '\ufeff',
      '\ud800',
    );
    const text = fc.array(fc.oneof(hostile, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
    const events = fc.array(fc.tuple(fc.option(fc.nat()), text), { maxLength: 5 });
    fc.assert(
      fc.property(events, (list) => {
        const frames = list.map(([seq, payload]) => eventFrame(wire(seq, 'message', { content: payload })));
        const stream = HEARTBEAT_FRAME + frames.join(HEARTBEAT_FRAME) + retryFrame(1000);
        const bytes = new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(stream));
        expect(parseFrames(bytes)).toEqual(
          list.map(([seq, payload]) => ({
            id: seq === null ? null : String(seq),
            event: 'message',
            data: { ...envelope, content: payload },
          })),
        );
      }),
    );
  });
});
