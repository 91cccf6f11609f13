/** How a model's reply grows on the timeline: thought and text stream, then the finished message takes their place. */
import type { WireData } from '../turn/wire.ts';
import type { AnswerItem, StreamState, ThoughtItem } from './timeline-item.ts';
import { appendItem, type OpenStreams, originOf, replaceItem, type Timeline } from './timeline-state.ts';
import { queueToolCalls } from './timeline-tool.ts';
import { recordField, recordsField, textField } from './wire-fields.ts';

const NONE_OPEN: OpenStreams = { thought: null, answer: null };

/** `next` makes the new text out of the text so far: it appends for a delta and replaces for a snapshot. */
export function streamThought(
  timeline: Timeline,
  data: WireData,
  next: (before: string) => string,
): Timeline {
  const open = openOf(timeline, data);
  const growing = thoughtAt(timeline, open);
  if (growing !== null) {
    return replaceItem(timeline, growing.index, {
      ...growing.item,
      text: next(growing.item.text),
      state: 'streaming',
    });
  }
  const item: ThoughtItem = { ...originOf(data), type: 'thought', text: next(''), state: 'streaming' };
  return withOpen(appendItem(timeline, item), data, { ...open, thought: timeline.items.length });
}

/** Text after a thought ends the thinking, though more of it may still come. */
export function streamText(timeline: Timeline, data: WireData, next: (before: string) => string): Timeline {
  const open = openOf(timeline, data);
  const thought = thoughtAt(timeline, open);
  const settled =
    thought?.item.state === 'streaming'
      ? replaceItem(timeline, thought.index, { ...thought.item, state: 'finished' })
      : timeline;
  const growing = answerAt(settled, open);
  if (growing !== null) {
    return replaceItem(settled, growing.index, {
      ...growing.item,
      text: next(growing.item.text),
      state: 'streaming',
    });
  }
  const item: AnswerItem = {
    ...originOf(data),
    type: 'answer',
    text: next(''),
    state: 'streaming',
    interim: false,
    ending: null,
  };
  return withOpen(appendItem(settled, item), data, { ...open, answer: settled.items.length });
}

/** A finished assistant message: its words replace what streamed, in the order thought, text, tool calls. */
export function foldReply(timeline: Timeline, data: WireData): Timeline {
  const calls = recordsField(data, 'tool_calls');
  const reply: Reply = {
    thought: textField(data, 'thought'),
    answer: textField(data, 'content'),
    interim: calls.length > 0,
    ending: textField(recordField(data, 'metadata'), 'ending') || null,
  };
  return queueToolCalls(placeAnswer(placeThought(timeline, data, reply), data, reply), data, calls);
}

type Reply = {
  readonly thought: string;
  readonly answer: string;
  readonly interim: boolean;
  readonly ending: string | null;
};

function placeThought(timeline: Timeline, data: WireData, { thought }: Reply): Timeline {
  const open = openOf(timeline, data);
  const growing = thoughtAt(timeline, open);
  if (growing !== null) {
    // Some providers do not keep their thinking: then what streamed is all there is.
    const item = { ...growing.item, text: thought || growing.item.text, state: 'finished' } as const;
    return withOpen(replaceItem(timeline, growing.index, item), data, { ...open, thought: null });
  }
  if (thought === '') return timeline;
  const item: ThoughtItem = { ...originOf(data), type: 'thought', text: thought, state: 'finished' };
  // The text streamed, the thought did not: the thought takes the text's place and the text follows it.
  const answer = answerAt(timeline, open);
  if (answer === null) return appendItem(timeline, item);
  const moved = appendItem(replaceItem(timeline, answer.index, item), answer.item);
  return withOpen(moved, data, { thought: null, answer: timeline.items.length });
}

function placeAnswer(timeline: Timeline, data: WireData, { answer, interim, ending }: Reply): Timeline {
  const open = openOf(timeline, data);
  const growing = answerAt(timeline, open);
  const state: StreamState = answer === '' ? 'discarded' : 'finished';
  if (growing !== null) {
    const item: AnswerItem = { ...growing.item, text: answer, state, interim, ending };
    return withOpen(replaceItem(timeline, growing.index, item), data, { ...open, answer: null });
  }
  if (answer === '') return timeline;
  return appendItem(timeline, { ...originOf(data), type: 'answer', text: answer, state, interim, ending });
}

/** The reply will not grow any more; it stays as it is. */
export function closeStreams(timeline: Timeline, data: WireData): Timeline {
  return settleStreams(timeline, data, 'finished');
}

/** The model call failed: what it had said so far does not count. */
export function discardStreams(timeline: Timeline, data: WireData): Timeline {
  return settleStreams(timeline, data, 'discarded');
}

function settleStreams(timeline: Timeline, data: WireData, state: StreamState): Timeline {
  const open = openOf(timeline, data);
  if (open.thought === null && open.answer === null) return timeline;
  let settled = withOpen(timeline, data, NONE_OPEN);
  for (const growing of [thoughtAt(timeline, open), answerAt(timeline, open)]) {
    if (growing !== null) settled = replaceItem(settled, growing.index, { ...growing.item, state });
  }
  return settled;
}

function openOf(timeline: Timeline, data: WireData): OpenStreams {
  return timeline.streams.get(textField(data, 'agent_name')) ?? NONE_OPEN;
}

function withOpen(timeline: Timeline, data: WireData, open: OpenStreams): Timeline {
  return { ...timeline, streams: new Map(timeline.streams).set(textField(data, 'agent_name'), open) };
}

type Growing<T> = { readonly index: number; readonly item: T };

function thoughtAt(timeline: Timeline, { thought: index }: OpenStreams): Growing<ThoughtItem> | null {
  const item = index === null ? undefined : timeline.items.at(index);
  return index !== null && item?.type === 'thought' ? { index, item } : null;
}

function answerAt(timeline: Timeline, { answer: index }: OpenStreams): Growing<AnswerItem> | null {
  const item = index === null ? undefined : timeline.items.at(index);
  return index !== null && item?.type === 'answer' ? { index, item } : null;
}
