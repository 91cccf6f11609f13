/** Whatever a provider streams: one outcome, no throw, no hang, no half character. `npm run test:fuzz`. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAnthropicModel } from '../src/llm/anthropic.ts';
import type { ModelEvent } from '../src/llm/language-model.ts';
import { eventsOf } from '../src/llm/model.contract.ts';
import { createOpenAiModel } from '../src/llm/openai-compatible.ts';
import { STREAM_DIALECTS, type StreamDialect } from '../src/llm/stream-dialects.contract.ts';
import { createManualClock } from '../src/manual-clock.ts';
import { type DamagedStream, drawDamagedStream } from './damaged-stream.ts';

const SEED = Number(process.env.FUZZ_SEED);
const ONLY = process.env.FUZZ_CASE;
const TIMEOUT_MS = 1000;
/** Turns of the event loop; all bytes are there from the start, so that few are needed. */
const MAX_TURNS = 200;

/** `hang`: neither the end of the stream nor its silence ended the reply. */
async function outcomeOf(
  { provider }: StreamDialect,
  { pieces, held }: Pick<DamagedStream, 'pieces' | 'held'>,
): Promise<{ readonly events: readonly ModelEvent[]; readonly timers: number } | 'hang'> {
  let count = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      if (!held) controller.close();
    },
  });
  const clock = createManualClock();
  const options = {
    baseUrl: 'http://provider.test/v1',
    defaultModel: 'default-model',
    timeoutMs: TIMEOUT_MS,
    fetch: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    clock,
    ids: () => `new-${++count}`,
  };
  const model =
    provider === 'anthropic' ? createAnthropicModel(options) : createOpenAiModel({ ...options, provider });
  let settled = false;
  const reply = eventsOf(model).finally(() => {
    settled = true;
  });
  reply.catch(() => {});
  for (let turn = 0; !settled && turn < MAX_TURNS; turn++) {
    await setImmediate();
    if (held && !settled && turn > 2) clock.advance(TIMEOUT_MS);
  }
  if (!settled) return 'hang';
  const events = await reply;
  // The rest of a whole reply is read for a second at most.
  clock.advance(TIMEOUT_MS);
  await setImmediate();
  return { events, timers: clock.waiting };
}

async function faultOf(dialect: StreamDialect, nth: number): Promise<string | null> {
  const stream = drawDamagedStream(dialect, SEED, nth);
  const outcome = await outcomeOf(dialect, stream).catch((error: unknown) => `thrown: ${String(error)}`);
  if (typeof outcome === 'string') return outcome;
  const { events, timers } = outcome;
  const ends = events.filter(({ type }) => type === 'finish' || type === 'failure');
  if (ends.length !== 1 || ends[0] !== events.at(-1)) return `${ends.length} outcomes`;
  if (timers > 0) return `${timers} timers are left`;
  if (!events.every(isWellFormed)) return 'half a character';
  const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.call.toolCallId] : []));
  if (new Set(ids).size < ids.length || ids.includes('')) return 'an id missing or twice';
  if (stream.damages > 0 || stream.held) return null;
  const whole = await outcomeOf(dialect, { pieces: [stream.original], held: false });
  const same =
    whole !== 'hang' && JSON.stringify(joinedText(whole.events)) === JSON.stringify(joinedText(events));
  return same ? null : 'another reply when cut into other pieces';
}

function isWellFormed(event: ModelEvent): boolean {
  if (event.type === 'text' || event.type === 'reasoning') return event.text.isWellFormed();
  return event.type !== 'failure' || event.failure.message.isWellFormed();
}

/** Where a text is split into events is the network's affair. */
function joinedText(events: readonly ModelEvent[]): unknown {
  const textOf = (wanted: 'text' | 'reasoning') =>
    events.map((event) => (event.type === wanted ? event.text : '')).join('');
  const rest = events.filter(({ type }) => type !== 'text' && type !== 'reasoning');
  return [textOf('reasoning'), textOf('text'), rest];
}

it('one typed outcome for any damaged stream of any dialect', async () => {
  const untilMs = performance.now() + Number(process.env.FUZZ_SECONDS) * 1000;
  let nth = ONLY === undefined ? 0 : Number(ONLY);
  do {
    for (const dialect of STREAM_DIALECTS) {
      const fault = await faultOf(dialect, nth);
      const repeat = `FUZZ_SEED=${SEED} FUZZ_CASE=${nth} npm run test:fuzz`;
      expect(fault, `${dialect.provider}; repeat: ${repeat}`).toBeNull();
    }
    nth++;
  } while (ONLY === undefined && performance.now() < untilMs);
  console.log(`fuzz: ${nth} replies, each in ${STREAM_DIALECTS.length} dialects`);
});
