import type { Effect } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../manual-clock.ts';
import { runTool, STOP_GRACE_MS, type ToolOutcome } from './run-tool.ts';
import { defineTool, type Tool, type ToolContext, ToolError, type ToolOutput } from './tool.ts';

type Execute = Tool['execute'];

function tool(execute: Execute, more: { effect?: Effect; timeoutMs?: number } = {}): Tool {
  return defineTool({
    name: 'the_tool',
    summary: { zh: '', en: '' },
    description: { zh: '', en: '' },
    input: z.unknown(),
    effect: 'read',
    ...more,
    execute,
  });
}

/** One run on a clock that stands still; `settle` lets everything that is ready happen. */
function start(subject: Tool, options: { timeoutMs?: number; language?: 'zh' | 'en' } = {}) {
  const clock = createManualClock();
  const cancel = new AbortController();
  const context: ToolContext = {
    sessionId: 's',
    agentName: 'lead',
    turnIndex: 1,
    step: 1,
    toolCallId: 'c1',
    language: options.language ?? 'en',
    signal: cancel.signal,
    clock,
    files: { read: missing, write: missing, list: missing },
    tasks: [],
    shownWhole: () => null,
    recall: missing,
    maxOutputChars: 4000,
  };
  let outcome: ToolOutcome | null = null;
  const ended = runTool(subject, {}, context, { timeoutMs: options.timeoutMs ?? 5000, maxOutputChars: 4000 });
  void ended.then((value) => {
    outcome = value;
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    return outcome;
  };
  return { clock, cancel, ended, settle };
}

async function missing(): Promise<never> {
  throw new ToolError('no files here');
}

/** A tool whose `then` is not a promise's. */
function promiseLike(then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void) {
  return (() => Object.fromEntries([['then', then]])) as unknown as Execute;
}

const never = () => new Promise<ToolOutput>(() => {});

describe('runTool', () => {
  it('gives what the tool returned, with its facts and the time it took', async () => {
    let finish = (_: ToolOutput) => {};
    const run = start(tool(() => new Promise((resolve) => (finish = resolve))));
    run.clock.advance(1234);
    finish({ text: 'found', facts: [{ type: 'tasks', tasks: [] }] });
    expect(await run.ended).toEqual({
      status: 'ok',
      output: 'found',
      elapsedMs: 1234,
      facts: [{ type: 'tasks', tasks: [] }],
    });
    expect(run.clock.waiting).toBe(0);
  });

  it('makes an error result of a failed output and of a ToolError, in the words of the tool', async () => {
    const failed = start(tool(async () => ({ text: 'no such star', failed: true })));
    expect(await failed.ended).toMatchObject({ status: 'error', output: 'no such star' });
    const both = { zh: '没有这颗星', en: 'no such star' };
    const thrown = start(
      tool(async () => Promise.reject(new ToolError(both))),
      { language: 'zh' },
    );
    expect(await thrown.ended).toMatchObject({ status: 'error', output: '没有这颗星' });
  });

  it('says that there was no output rather than nothing', async () => {
    expect((await start(tool(async () => ({ text: ' \n' }))).ended).output).toBe('(no output)');
    expect(
      (
        await start(
          tool(async () => ({ text: '' })),
          { language: 'zh' },
        ).ended
      ).output,
    ).toBe('（无输出）');
  });

  it('lets no control code and no half character through, from a result or from an error', async () => {
    const ok = start(tool(async () => ({ text: 'a\u0000\u001b[31mb\ud83c' })));
    expect((await ok.ended).output).toBe('ab\ufffd');
    const bad = start(tool(async () => Promise.reject(new Error('x\u0000\ud83c'))));
    expect((await bad.ended).output).toBe('the_tool failed: Error: x\ufffd');
  });

  const throwsOnLook = new Proxy(
    {},
    {
      get() {
        throw new Error('looked at');
      },
      getPrototypeOf() {
        throw new Error('looked at');
      },
    },
  );

  it.each<[string, Execute]>([
    [
      'throws at once',
      () => {
        throw new TypeError('at once');
      },
    ],
    ['rejects with a string', () => Promise.reject('just text')],
    ['rejects with undefined', () => Promise.reject(undefined)],
    ['rejects with a value that cannot be printed', () => Promise.reject(Object.create(null))],
    ['rejects with a value that throws when looked at', () => Promise.reject(throwsOnLook)],
    ['returns nothing', (async () => undefined) as unknown as Execute],
    ['returns no text', (async () => ({ text: 7 })) as unknown as Execute],
    [
      'returns a value that throws when looked at',
      (async () => ({
        get text() {
          throw new Error('no');
        },
      })) as unknown as Execute,
    ],
    [
      'returns a promise-like that throws',
      promiseLike(() => {
        throw new Error('no');
      }),
    ],
    [
      'returns a promise-like that settles twice',
      promiseLike((resolve, reject) => {
        reject(new Error('first'));
        resolve({ text: 'second' });
      }),
    ],
  ])('makes one error result of a tool that %s', async (_, execute) => {
    const outcome = await start(tool(execute)).ended;
    expect(outcome).toMatchObject({ status: 'error', facts: [] });
    expect(outcome.output).toContain('the_tool failed');
  });

  it('aborts a tool at its timeout, and the configured one is only for tools without their own', async () => {
    let aborted = false;
    const obedient: Execute = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason);
        });
      });
    const run = start(tool(obedient, { timeoutMs: 300 }), { timeoutMs: 5000 });
    run.clock.advance(299);
    expect([await run.settle(), aborted]).toEqual([null, false]);
    run.clock.advance(1);
    expect(await run.ended).toEqual({
      status: 'error',
      output: 'the_tool gave no result within 0.3 s and was stopped. Ask for less, or go another way.',
      elapsedMs: 300,
      facts: [],
    });
    expect(aborted).toBe(true);
    expect(run.clock.waiting).toBe(0);
  });

  it('warns that a tool that acts may have acted before its timeout', async () => {
    const run = start(tool(never, { effect: 'effect' }));
    run.clock.advance(5000 + STOP_GRACE_MS);
    expect((await run.ended).output).toContain('may have taken effect in part');
  });

  it('waits two seconds for a tool that ignores its signal, then for ever without it', async () => {
    let finish = (_: ToolOutput) => {};
    const run = start(tool(() => new Promise((resolve) => (finish = resolve))));
    run.clock.advance(5000);
    run.clock.advance(STOP_GRACE_MS - 1);
    expect(await run.settle()).toBeNull();
    run.clock.advance(1);
    const outcome = await run.ended;
    expect(outcome).toMatchObject({ status: 'error', elapsedMs: 7000 });
    finish({ text: 'too late' });
    expect(await run.settle()).toBe(outcome);
  });

  it('drops what a tool returns after it was told to stop', async () => {
    const late: Execute = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'late' })));
    const run = start(tool(late));
    run.cancel.abort();
    expect(await run.ended).toMatchObject({ status: 'cancelled', facts: [] });
  });

  it('has no timeout where the tool says Infinity', async () => {
    const run = start(tool(never, { timeoutMs: Number.POSITIVE_INFINITY }));
    run.clock.advance(1e9);
    expect(await run.settle()).toBeNull();
    run.cancel.abort();
    run.clock.advance(STOP_GRACE_MS);
    expect((await run.ended).status).toBe('cancelled');
  });

  it('cancels at once what obeys, and within the grace what does not', async () => {
    const obedient: Execute = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const quick = start(tool(obedient));
    quick.cancel.abort();
    expect(await quick.ended).toMatchObject({ status: 'cancelled', elapsedMs: 0 });
    const deaf = start(tool(never));
    deaf.cancel.abort();
    expect(await deaf.settle()).toBeNull();
    deaf.clock.advance(STOP_GRACE_MS);
    expect(await deaf.ended).toMatchObject({ status: 'cancelled', elapsedMs: STOP_GRACE_MS });
    expect(deaf.clock.waiting).toBe(0);
  });

  it('stays a timeout when the user cancels during the grace, and the other way round', async () => {
    const first = start(tool(never));
    first.clock.advance(5000);
    first.cancel.abort();
    first.clock.advance(STOP_GRACE_MS);
    expect((await first.ended).status).toBe('error');
    const second = start(tool(never), { timeoutMs: 1000 });
    second.cancel.abort();
    second.clock.advance(STOP_GRACE_MS);
    expect((await second.ended).status).toBe('cancelled');
  });

  it('does not start a tool when the turn is cancelled already', async () => {
    let started = false;
    const clock = createManualClock();
    const outcome = await runTool(
      tool(async () => {
        started = true;
        return { text: '' };
      }),
      {},
      { ...contextStub, clock, signal: AbortSignal.abort() },
      { timeoutMs: 1, maxOutputChars: 1 },
    );
    expect([outcome.status, started]).toEqual(['cancelled', false]);
  });
});

const contextStub: Omit<ToolContext, 'clock' | 'signal'> = {
  sessionId: 's',
  agentName: 'lead',
  turnIndex: 1,
  step: 1,
  toolCallId: 'c1',
  language: 'en',
  files: { read: missing, write: missing, list: missing },
  tasks: [],
  shownWhole: () => null,
  recall: missing,
  maxOutputChars: 1,
};
