/** The choke point in a whole turn: a stored history that breaks a rule is sent repaired, and told of. */
import { LEAD, type Message, messageId, type NewEvent } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { createInMemoryStore } from '../store/in-memory.ts';
import { createTestAgent, dataOf } from '../testing/test-agent.ts';

describe('a request that breaks the rules', () => {
  it('is repaired before it is sent, counted and reported', async () => {
    const store = createInMemoryStore();
    const faults: string[] = [];
    const { agent, model, ask, clock } = createTestAgent({
      script: [{ text: 'First.' }, { text: 'Second.' }],
      parts: { store, reportFault: (_, error) => faults.push(String(error)) },
    });
    const { sessionId } = await agent.createSession();
    await ask(sessionId, 'one');
    // What no engine writes: a result that nobody asked for.
    const part = {
      type: 'tool-result',
      toolCallId: 'ghost',
      name: 'echo',
      status: 'ok',
      text: 'boo',
    } as const;
    const base = { agentName: LEAD, turnIndex: 1, step: 1, tokens: 5, createdAtMs: 0 };
    const ghost: Message = { ...base, id: messageId(4), role: 'tool', parts: [part] };
    const stamp = { turnId: null, agentName: LEAD, step: 0, atMs: 0 };
    const event: NewEvent = { ...stamp, type: 'message', message: ghost };
    const page = await store.readEvents(sessionId, 0, 100);
    const seq = page.at(-1)?.seq ?? 0;
    const claim = await store.claim(sessionId, 'intruder', clock.nowMs(), 60_000);
    if (claim.kind === 'held') expect.fail('the session is held');
    await store.append(sessionId, seq, claim.epoch, [{ ...event, seq: seq + 1 }]);
    await store.release(sessionId, 'intruder', claim.epoch);

    const events = await ask(sessionId, 'two');
    expect(dataOf(events, 'recovery')).toMatchObject([{ kind: 'tool_pairing', action: 'repair_history' }]);
    expect(dataOf(events, 'done')).toMatchObject([{ status: 'completed' }]);
    const sent = [...(model.requests.at(-1)?.messages ?? [])].map(({ role }) => role);
    expect(sent).toEqual(['system', 'user', 'assistant', 'user']);
    expect(faults.join()).toContain('ghost');
    expect((await agent.readMetrics(sessionId))?.violations).toBe(1);
  });
});
