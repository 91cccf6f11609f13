/** What an event changes in the tables beside the log, as data; every store performs the same changes. */
import { LEAD, type Message, type Task, type TurnEvent } from '@astroresearch/core';
import { readable } from './readable-text.ts';

/** Titles, models and tasks are shown, never sent on: they are stored as readable text. Events keep the exact one. */
export type RowChange =
  | {
      readonly kind: 'create-session';
      readonly title: string;
      readonly model: string | null;
      readonly metadata: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'rename-session'; readonly title: string }
  /** Takes the session away from everybody: it is read no more, and whoever holds its lease is fenced. */
  | { readonly kind: 'delete-session' }
  /** `title` is taken where the session has none. */
  | { readonly kind: 'begin-turn'; readonly turnCount: number; readonly title: string }
  | { readonly kind: 'end-turn' }
  | { readonly kind: 'add-message'; readonly message: Message }
  | { readonly kind: 'replace-tasks'; readonly tasks: readonly Task[]; readonly owner: string };

/** Null: the event concerns the log alone. Turns of sub-agents run inside the lead's: its own alone count. */
export function changeOf(event: TurnEvent): RowChange | null {
  switch (event.type) {
    case 'session-created':
      return {
        kind: 'create-session',
        title: readable(event.title),
        model: event.model === null ? null : readable(event.model),
        metadata: event.metadata,
      };
    case 'session-updated':
      return { kind: 'rename-session', title: readable(event.title) };
    case 'session-deleted':
      return { kind: 'delete-session' };
    case 'session':
      if (event.agentName !== LEAD) return null;
      return { kind: 'begin-turn', turnCount: event.turnIndex, title: readable(event.title) };
    case 'done':
      return event.agentName === LEAD ? { kind: 'end-turn' } : null;
    case 'message':
    case 'tool-result':
      return { kind: 'add-message', message: event.message };
    case 'tasks':
      return { kind: 'replace-tasks', tasks: event.tasks.map(readableTask), owner: event.agentName };
    case 'step':
    case 'tool-call':
    case 'nudge':
    case 'compact-requested':
    case 'turn-resumed':
    case 'turn-suspended':
    case 'message-queued':
    case 'queue-taken':
    case 'compaction':
    case 'cancel-requested':
    case 'attempt-failed':
    case 'retry':
    case 'recovery':
    case 'model-switch':
    case 'usage':
    case 'error':
      return null;
    default:
      return event satisfies never;
  }
}

function readableTask(task: Task): Task {
  return {
    ...task,
    id: readable(task.id),
    content: readable(task.content),
    blockedBy: task.blockedBy.map(readable),
  };
}
