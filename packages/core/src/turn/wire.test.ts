/** The wire (api.md, Events): names, common fields, one id in both places, no half characters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatedSession } from '../testing/arbitrary.ts';
import { NO_USAGE } from '../tokens/usage.ts';
import type { TurnEvent } from './event.ts';
import { messageToWire, toWire } from './wire.ts';

const envelope = { seq: 7, turnId: 't', agentName: 'lead', step: 2, atMs: 0 };

describe('toWire', () => {
  it('gives every event its number, snake_case name and the common fields', () => {
    fc.assert(
      fc.property(generatedSession, ({ log }) => {
        for (const event of log) {
          const wire = toWire('s', event);
          expect(wire.seq).toBe(event.seq);
          expect(wire.type).toMatch(/^[a-z]+(_[a-z]+)*$/);
          expect(wire.data).toMatchObject({ session_id: 's', turn_id: event.turnId, agent_name: 'lead' });
          for (const key of Object.keys(wire.data)) expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
        }
      }),
    );
  });

  it('gives a transient event no number', () => {
    const { seq: _, ...stamp } = envelope;
    expect(toWire('s', { ...stamp, type: 'text-delta', text: 'Hi' })).toEqual({
      seq: null,
      type: 'text_delta',
      data: {
        session_id: 's',
        turn_id: 't',
        agent_name: 'lead',
        step: 2,
        ts: '1970-01-01T00:00:00.000Z',
        text: 'Hi',
      },
    });
  });

  it('tells what a turn cost, where that is known, and that a request may have been cut', () => {
    const totals = { ...envelope, type: 'usage', usage: NO_USAGE, spentTokens: 5, steps: 1 } as const;
    expect(toWire('s', totals).data).not.toHaveProperty('cost_usd');
    expect(toWire('s', totals).data).not.toHaveProperty('suspected_truncation');
    const more = { ...totals, costUsd: 0.002, suspectedTruncation: true } as const;
    expect(toWire('s', more).data).toMatchObject({ cost_usd: 0.002, suspected_truncation: true });
  });

  it('shows the beginning of a long result, cut between characters, and its ref', () => {
    const text = '🌌'.repeat(400);
    const event: TurnEvent = {
      ...envelope,
      type: 'tool-result',
      toolCallId: 'c1',
      name: 'read_file',
      status: 'ok',
      elapsedMs: 3,
      truncated: false,
      message: {
        id: 'm4',
        role: 'tool',
        agentName: 'lead',
        turnIndex: 1,
        step: 2,
        tokens: 1,
        createdAtMs: 0,
        parts: [{ type: 'tool-result', toolCallId: 'c1', name: 'read_file', status: 'ok', text }],
      },
    };
    const { data } = toWire('s', event);
    expect(data).toMatchObject({ id: 'c1', tool_call_id: 'c1', ref: 'm4', status: 'ok', elapsed_ms: 3 });
    expect(String(data.output_preview).isWellFormed()).toBe(true);
    expect(String(data.output_preview).length).toBeLessThan(700);
  });
});

describe('messageToWire', () => {
  it('shows an assistant message with its thought and calls, and no empty list', () => {
    const base = { id: 'm3', agentName: 'lead', turnIndex: 1, step: 1, tokens: 12, createdAtMs: 0 } as const;
    const shown = messageToWire('s', {
      ...base,
      role: 'assistant',
      ending: 'tool-calls',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Reading.' },
        { type: 'tool-call', toolCallId: 'c1', name: 'read_file', arguments: '{}' },
      ],
    });
    expect(shown).toMatchObject({
      id: 'm3',
      message_id: 'm3',
      role: 'assistant',
      content: 'Reading.',
      thought: 'hm',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
      token_count: 12,
    });
    const plain = messageToWire('s', {
      ...base,
      role: 'assistant',
      ending: 'stop',
      parts: [{ type: 'text', text: 'x' }],
    });
    expect('tool_calls' in plain || 'thought' in plain).toBe(false);
  });
});
