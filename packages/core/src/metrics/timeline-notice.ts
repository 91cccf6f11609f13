/** Which of the engine's own doings get a line on the timeline; every other type of event leaves no trace. */
import type { WireEvent } from '../turn/wire.ts';
import type { Notice } from './timeline-item.ts';
import { appendItem, originOf, type Timeline } from './timeline-state.ts';
import { numberField, textField } from './wire-fields.ts';

export function foldNotice(timeline: Timeline, event: WireEvent): Timeline {
  const notice = noticeOf(event);
  return notice === null
    ? timeline
    : appendItem(timeline, { ...originOf(event.data), type: 'notice', notice });
}

function noticeOf({ type, data }: WireEvent): Notice | null {
  switch (type) {
    case 'attempt_failed':
      return { about: type, kind: textField(data, 'kind'), message: textField(data, 'message') };
    case 'retry':
      return {
        about: type,
        kind: textField(data, 'kind'),
        attempt: numberField(data, 'attempt'),
        delayMs: numberField(data, 'delay_ms'),
      };
    case 'recovery':
      return { about: type, kind: textField(data, 'kind'), action: textField(data, 'action') };
    case 'nudge':
      return { about: type, level: textField(data, 'level') };
    case 'compaction':
      return compactionNotice(data);
    case 'model_switch':
      return { about: type, from: textField(data, 'from'), to: textField(data, 'to') };
    case 'usage':
      return data.suspected_truncation === true ? { about: 'suspected_truncation' } : null;
    case 'session': {
      const text = textField(data, 'note');
      return text === '' ? null : { about: 'note', text };
    }
    default:
      return null;
  }
}

/** A look that changed nothing is no news. */
function compactionNotice(data: WireEvent['data']): Notice | null {
  const outcome = textField(data, 'outcome');
  if (outcome === 'fits' || outcome === 'nothing_to_do') return null;
  return {
    about: 'compaction',
    outcome,
    tokensBefore: numberField(data, 'tokens_before'),
    tokensAfter: numberField(data, 'tokens_after'),
  };
}
