/** The open session: folds what its stream brings, once a frame. */
import { expect, it } from 'vitest';
import { createSessionStore } from './session-store.ts';

const data = { session_id: 's', turn_id: 't', agent_name: 'lead', step: 1, ts: '' };
const frame = (seq: number, type: string, fields: object) =>
  `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ ...data, ...fields })}\n\n`;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Streams stay open; frames are drawn when the test says so. */
function storeOver(bodies: Readonly<Record<string, string>>) {
  const frames: (() => void)[] = [];
  const store = createSessionStore({
    events: async (sessionId, _after, signal) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(bodies[sessionId] ?? ''));
            signal.addEventListener('abort', () => controller.error(new Error('aborted')));
          },
        }),
      ),
    timer: () => () => {},
    nextFrame: (run) => frames.push(run),
    random: () => 0,
  });
  return { store, frames };
}

it('draws many events in one frame', async () => {
  const user = (n: number) => frame(n, 'message', { role: 'user', content: `${n}`, metadata: {} });
  const { store, frames } = storeOver({ a: user(1) + user(2) + user(3) });
  let changes = 0;
  store.show('a');
  await settled();
  store.subscribe(() => {
    changes += 1;
  });
  expect(frames).toHaveLength(1);
  frames[0]?.();
  expect(changes).toBe(1);
  expect(store.snapshot()).toMatchObject({ sessionId: 'a', connection: 'live' });
  expect(store.snapshot().timeline.items.length).toBe(3);
});

it('shows nothing of a session that was left, even if a frame was due', async () => {
  const { store, frames } = storeOver({ a: frame(1, 'session_created', { title: 'A' }), b: '' });
  store.show('a');
  await settled();
  store.show('b');
  frames[0]?.();
  await settled();
  expect(store.snapshot()).toMatchObject({ sessionId: 'b', timeline: { title: '' } });
  store.show(null);
  expect(store.snapshot().sessionId).toBeNull();
});
