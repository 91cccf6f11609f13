/** What is asked of the summarising model, and what of its answers is believed. */
import { DEFAULT_SETTINGS, estimateTokens, LEAD, type Message, messageId, textOf } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedReply } from '../llm/scripted-model.ts';
import { summarise } from './summarise.ts';

function history(messages: number, chars: number): readonly Message[] {
  return Array.from({ length: messages }, (_, nth): Message => {
    const text = `message ${nth} tells of data/f${nth}.fits ${'and more of it '.repeat(chars / 15)}`;
    const base = {
      id: messageId(nth + 1),
      agentName: LEAD,
      turnIndex: 1,
      step: 1,
      tokens: 1,
      createdAtMs: 0,
    };
    return { ...base, role: 'user', parts: [{ type: 'text', text }] };
  });
}

async function ask(replies: readonly ScriptedReply[], messages: readonly Message[], windowTokens = 4_000) {
  const model = createScriptedModel({ replies: [], repliesFor: { summary: replies } });
  const settings = { ...DEFAULT_SETTINGS, compaction: { ...DEFAULT_SETTINGS.compaction, windowTokens } };
  const signal = new AbortController().signal;
  const parts = { agentName: LEAD, model, settings, countTokens: estimateTokens, signal };
  const reply = await summarise({ messages, keep: 'the redshifts', language: 'en', model: 'm' }, parts);
  const sent = model.requestsFor('summary').map((request) => request.messages.map(textOf).join('\n'));
  return { reply, sent, requests: model.requestsFor('summary') };
}

describe('summarise', () => {
  it('sends a history that is larger than the window piece by piece, each with the summary so far', async () => {
    const replies = Array.from({ length: 6 }, (_, nth) => ({ text: `SUMMARY-${nth}` }));
    const { reply, sent } = await ask(replies, history(40, 900));
    expect(sent.length).toBeGreaterThan(1);
    for (const text of sent) expect(estimateTokens(text)).toBeLessThan(4_000);
    expect(sent[0]).toContain('data/f0.fits');
    expect(sent.at(-1)).toContain('data/f39.fits');
    expect(sent[1]).toContain('SUMMARY-0');
    expect(reply).toEqual({ kind: 'narrative', text: `SUMMARY-${sent.length - 1}` });
  });

  it('still fits where six pieces are not enough', async () => {
    const { sent } = await ask(
      [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }, { text: 'e' }, { text: 'f' }],
      history(900, 900),
      3_000,
    );
    expect(sent).toHaveLength(6);
    for (const text of sent) expect(estimateTokens(text)).toBeLessThan(3_000);
  });

  it('asks once where all fits, without tools or thinking, with an output limit and the hint', async () => {
    const { sent, requests } = await ask([{ text: 'Short.' }], history(3, 90));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('the redshifts');
    expect(requests[0]).toMatchObject({
      tools: [],
      toolChoice: 'none',
      enableThinking: false,
      maxOutputTokens: 1_200,
    });
  });

  it.each([
    ['a tool call', { toolCalls: [{ name: 'read_file', arguments: '{}' }] }, /tool call/],
    ['blanks', { text: ' \n ' }, /empty|empty_reply/],
    ['thoughts alone', { reasoning: 'hm' }, /empty/],
    ['a failure', { failure: { kind: 'overloaded', message: 'busy' } }, /overloaded: busy/],
  ] as const)('refuses %s, with the reason', async (_, reply, reason) => {
    expect((await ask([reply as ScriptedReply], history(3, 90))).reply).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(reason),
    });
  });
});
