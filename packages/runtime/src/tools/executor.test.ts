import type { PermissionDecision, Task, ToolCallPart } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createManualClock } from '../manual-clock.ts';
import { type CallEvent, type CallsContext, runCalls } from './executor.ts';
import { createRegistry } from './registry.ts';
import { STOP_GRACE_MS } from './run-tool.ts';
import { defineTool, type Tool, ToolError, type ToolOutput } from './tool.ts';

/** Tools whose calls are finished by the test, in the order that the test likes. */
function createWorld(decide: CallsContext['decide'] = () => ({ kind: 'allow' })) {
  const clock = createManualClock();
  const cancel = new AbortController();
  const running = new Map<string, { finish(output: ToolOutput): void; fail(error: unknown): void }>();
  const started: string[] = [];
  const seenTasks: (readonly Task[])[] = [];
  const held = (name: string, effect: Tool['effect']) =>
    defineTool<{ n: string }>({
      name,
      summary: { zh: '', en: '' },
      description: { zh: '', en: '' },
      input: z.object({ n: z.string() }),
      effect,
      execute({ n }, context) {
        started.push(n);
        seenTasks.push(context.tasks);
        return new Promise<ToolOutput>((finish, fail) => {
          running.set(n, { finish, fail });
          context.signal.addEventListener('abort', () => fail(context.signal.reason));
        });
      },
    });
  const context: CallsContext = {
    registry: createRegistry([held('look', 'read'), held('act', 'effect')]),
    decide,
    limits: { timeoutMs: 60_000, maxOutputChars: 4000 },
    clock,
    files: { read: none, write: none, list: none },
    sessionId: 's',
    agentName: 'lead',
    turnIndex: 1,
    step: 2,
    language: 'en',
    tasks: [],
    shownWhole: () => null,
    recall: none,
    refusals: new Map(),
    started: new Set(),
    signal: cancel.signal,
  };
  const finish = (n: string, output: ToolOutput = { text: `done ${n}` }) => running.get(n)?.finish(output);
  return { clock, cancel, context, started, seenTasks, finish };
}

async function none(): Promise<never> {
  throw new ToolError('no files here');
}

const call = (name: string, n: string): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: n,
  name,
  arguments: JSON.stringify({ n }),
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** `intent a`, `ok a` …, one inner list per yielded list. */
function told(events: readonly CallEvent[]): readonly string[] {
  return events.map(
    (event) => `${event.kind === 'intent' ? 'intent' : event.status} ${event.call.toolCallId}`,
  );
}

/** Takes everything as it comes. */
function consume(calls: readonly ToolCallPart[], context: CallsContext) {
  const lists: (readonly string[])[] = [];
  const outcomes: Extract<CallEvent, { kind: 'outcome' }>[] = [];
  const ended = (async () => {
    for await (const events of runCalls(calls, context)) {
      lists.push(told(events));
      outcomes.push(...events.filter((event) => event.kind === 'outcome'));
    }
  })();
  return { lists, outcomes, ended };
}

describe('runCalls', () => {
  it('announces neighbouring reads together, runs them side by side and answers in call order', async () => {
    const world = createWorld();
    const run = consume([call('look', 'a'), call('look', 'b'), call('look', 'c')], world.context);
    await settle();
    expect(run.lists).toEqual([['intent a', 'intent b', 'intent c']]);
    expect(world.started).toEqual(['a', 'b', 'c']);
    world.finish('c');
    world.finish('b');
    await settle();
    expect(run.lists).toHaveLength(1);
    world.finish('a');
    await run.ended;
    expect(run.lists.slice(1).flat()).toEqual(['ok a', 'ok b', 'ok c']);
  });

  it('gives out an early result before later ones have settled', async () => {
    const world = createWorld();
    const run = consume([call('look', 'a'), call('look', 'b')], world.context);
    await settle();
    world.finish('a');
    await settle();
    expect(run.lists).toEqual([['intent a', 'intent b'], ['ok a']]);
    world.finish('b');
    await run.ended;
  });

  it('runs what acts alone, after everything before it and before everything behind it', async () => {
    const world = createWorld();
    const run = consume(
      [call('look', 'a'), call('act', 'b'), call('act', 'c'), call('look', 'd')],
      world.context,
    );
    for (const n of ['a', 'b', 'c', 'd']) {
      await settle();
      expect(world.started.at(-1)).toBe(n);
      world.finish(n);
    }
    await run.ended;
    expect(run.lists).toEqual([
      ['intent a'],
      ['ok a'],
      ['intent b'],
      ['ok b'],
      ['intent c'],
      ['ok c'],
      ['intent d'],
      ['ok d'],
    ]);
  });

  it('starts nothing before the consumer has taken the intent and asks for more', async () => {
    const world = createWorld();
    const events = runCalls([call('act', 'a')], world.context);
    expect(told((await events.next()).value ?? [])).toEqual(['intent a']);
    await settle();
    expect(world.started).toEqual([]);
    const outcome = events.next();
    await settle();
    expect(world.started).toEqual(['a']);
    world.finish('a');
    expect(told((await outcome).value ?? [])).toEqual(['ok a']);
  });

  it('runs at most eight reads at a time', async () => {
    const world = createWorld();
    const names = [...'abcdefghij'];
    const run = consume(
      names.map((n) => call('look', n)),
      world.context,
    );
    await settle();
    expect(world.started).toHaveLength(8);
    for (const n of names.slice(0, 8)) world.finish(n);
    await settle();
    expect(world.started).toHaveLength(10);
    world.finish('i');
    world.finish('j');
    await run.ended;
  });

  it('answers unknown tools, bad arguments and refusals beside calls that run', async () => {
    const decisions: Record<string, PermissionDecision> = {
      act: { kind: 'ask' },
      look: { kind: 'allow' },
    };
    const world = createWorld((tool) => decisions[tool.name] ?? { kind: 'allow' });
    const run = consume(
      [
        call('lok', 'a'),
        { ...call('look', 'b'), arguments: '{"n": }' },
        call('look', 'c'),
        { ...call('look', 'd'), arguments: '' },
        call('act', 'e'),
      ],
      world.context,
    );
    await settle();
    world.finish('c');
    await run.ended;
    expect(run.lists.flat().filter((line) => !line.startsWith('intent'))).toEqual([
      'error a',
      'error b',
      'ok c',
      'error d',
      'denied e',
    ]);
    expect(world.started).toEqual(['c']);
    expect(run.outcomes[0]?.output).toBe('There is no tool named "lok". The nearest: look, act.');
    expect(run.outcomes[4]?.output).toContain('AGENT_PERMISSION_MODE=auto');
    expect(run.outcomes[4]?.output).toContain('--yes');
    expect(run.outcomes[4]?.output).toContain('"permission_mode": "auto"');
  });

  it('denies in plan mode, and where the check itself fails', async () => {
    const plan = createWorld(() => ({ kind: 'deny', reason: 'plan-mode' }));
    const planned = consume([call('act', 'a')], plan.context);
    await planned.ended;
    expect(planned.outcomes[0]).toMatchObject({
      status: 'denied',
      output: expect.stringContaining('plan mode'),
    });
    const faulty = createWorld(() => {
      throw new Error('rules are broken');
    });
    const closed = consume([call('look', 'a')], faulty.context);
    await closed.ended;
    expect([closed.outcomes[0]?.status, faulty.started]).toEqual(['denied', []]);
  });

  it('shows the permission check and the log exactly what will run', async () => {
    const checked: unknown[] = [];
    const world = createWorld((_, input) => {
      checked.push(input);
      return { kind: 'allow' };
    });
    const events = runCalls([{ ...call('look', 'a'), arguments: '{"n": "a", "extra": 1}' }], world.context);
    const [intent] = (await events.next()).value ?? [];
    expect(intent).toMatchObject({ kind: 'intent', arguments: { n: 'a' } });
    expect(checked).toEqual([{ n: 'a' }]);
    expect(Object.isFrozen(checked[0])).toBe(true);
    await events.return(undefined);
  });

  it('lets each call see the plan as the calls before it left it', async () => {
    const world = createWorld();
    const tasks: readonly Task[] = [{ id: '1', content: 'x', status: 'pending', blockedBy: [] }];
    const run = consume([call('act', 'a'), call('act', 'b')], world.context);
    await settle();
    world.finish('a', { text: 'planned', facts: [{ type: 'tasks', tasks }] });
    await settle();
    world.finish('b');
    await run.ended;
    expect(world.seenTasks).toEqual([[], tasks]);
  });

  it('cancels what runs and never starts what does not', async () => {
    const world = createWorld();
    const run = consume(
      [call('look', 'a'), call('look', 'b'), call('act', 'c'), call('act', 'd')],
      world.context,
    );
    await settle();
    world.finish('a');
    await settle();
    world.cancel.abort();
    await run.ended;
    expect(world.started).toEqual(['a', 'b']);
    expect(run.outcomes.map(({ status }) => status)).toEqual(['ok', 'cancelled', 'cancelled', 'cancelled']);
    expect(run.lists.flat().filter((line) => line.startsWith('intent'))).toHaveLength(4);
  });

  it('stops what runs when the consumer gives up', async () => {
    const world = createWorld();
    let aborted = false;
    const watching = defineTool({
      name: 'watch',
      summary: { zh: '', en: '' },
      description: { zh: '', en: '' },
      input: z.unknown(),
      effect: 'read',
      execute: (_, { signal }) =>
        new Promise<ToolOutput>(() =>
          signal.addEventListener('abort', () => {
            aborted = true;
          }),
        ),
    });
    const registry = createRegistry([watching, ...world.context.registry.list]);
    const events = runCalls([call('look', 'a'), call('watch', 'b')], { ...world.context, registry });
    await events.next();
    const first = events.next();
    await settle();
    world.finish('a');
    await first;
    await events.return(undefined);
    expect(aborted).toBe(true);
    world.clock.advance(STOP_GRACE_MS);
    await settle();
    expect(world.clock.waiting).toBe(0);
  });

  it('gives every call one intent and then one outcome, in order, whatever the calls do', async () => {
    const kind = fc.constantFrom('returns', 'throws', 'hangs', 'unknown', 'invalid', 'denied', 'fails');
    const one = fc.record({ kind, acts: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 14 }), fc.option(fc.nat(14)), async (plans, cancelAt) => {
        const clock = createManualClock();
        const cancel = new AbortController();
        let starts = 0;
        const tool = (name: string, effect: Tool['effect']) =>
          defineTool<{ kind: string }>({
            name,
            summary: { zh: '', en: '' },
            description: { zh: '', en: '' },
            input: z.object({ kind: z.string() }),
            effect,
            async execute(input) {
              starts += 1;
              if (starts === cancelAt) cancel.abort();
              if (input.kind === 'throws') throw input.kind;
              if (input.kind === 'hangs') await new Promise(() => {});
              return { text: 'x', failed: input.kind === 'fails' };
            },
          });
        const calls: readonly ToolCallPart[] = plans.map((plan, index) => ({
          type: 'tool-call',
          toolCallId: String(index),
          name: plan.kind === 'unknown' ? 'nothing' : plan.acts ? 'act' : 'look',
          arguments: plan.kind === 'invalid' ? '[' : JSON.stringify({ kind: plan.kind }),
        }));
        const context: CallsContext = {
          ...createWorld().context,
          registry: createRegistry([tool('look', 'read'), tool('act', 'effect')]),
          decide: (_, input) =>
            (input as { kind: string }).kind === 'denied' ? { kind: 'ask' } : { kind: 'allow' },
          clock,
          signal: cancel.signal,
        };
        const run = consume(calls, context);
        let over = false;
        void run.ended.then(() => {
          over = true;
        });
        while (!over) {
          await settle();
          clock.advance(60_000);
        }
        const lines = run.lists.flat();
        const expected = calls.map(({ toolCallId }) => toolCallId);
        expect(run.outcomes.map((outcome) => outcome.call.toolCallId)).toEqual(expected);
        expect(lines.filter((line) => line.startsWith('intent')).map((line) => line.slice(7))).toEqual(
          expected,
        );
        for (const id of expected) {
          expect(lines.indexOf(`intent ${id}`)).toBeLessThan(
            lines.findIndex((line) => line.endsWith(` ${id}`) && !line.startsWith('intent')),
          );
        }
        expect(clock.waiting).toBe(0);
      }),
      { numRuns: 150 },
    );
  });
});
