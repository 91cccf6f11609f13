/** A turn as one versioned value (runtime.md, Trajectory): enough to replay it without a model. */
import type { Message } from '../message/message.ts';
import type { TurnEvent } from '../turn/event.ts';
import { evolve } from '../turn/evolve.ts';
import { agentOf, LEAD, NEW_SESSION } from '../turn/state.ts';
import type { ContextEdit } from '../view/edit.ts';
import { textHash } from '../watch/text-hash.ts';

export const TRAJECTORY_FORMAT = 'astroresearch-trajectory';
/** Grows when a reader of an older file would misread a newer one. */
export const TRAJECTORY_VERSION = 1;

export type TrajectoryRequest = {
  /** From 1, over the whole session. */
  readonly request: number;
  readonly step: number;
  readonly messages: number;
  /** As counted: not calibrated. */
  readonly tokens: number;
  /** Of the messages that it carried. */
  readonly hash: string;
};

export type TurnTrajectory = {
  readonly format: typeof TRAJECTORY_FORMAT;
  readonly version: typeof TRAJECTORY_VERSION;
  readonly turn: number;
  /** Of the lead, all up to the end of the turn, as they were stored. */
  readonly messages: readonly Message[];
  /** All up to the end of the turn: with the messages they give each view again. */
  readonly edits: readonly ContextEdit[];
  readonly requests: readonly TrajectoryRequest[];
  /** Of this turn, in order. */
  readonly events: readonly TurnEvent[];
};

/** `events`: the session's log from its beginning. Null: there has been no such turn. */
export function turnTrajectory(events: Iterable<TurnEvent>, turnIndex: number): TurnTrajectory | null {
  const messages: Message[] = [];
  const edits: ContextEdit[] = [];
  const requests: TrajectoryRequest[] = [];
  const own: TurnEvent[] = [];
  let state = NEW_SESSION;
  for (const event of events) {
    if (event.type === 'session' && event.turnIndex > turnIndex) break;
    const before = agentOf(state, LEAD).requests;
    state = evolve(state, event);
    if (event.agentName !== LEAD) continue;
    if (event.type === 'message' || event.type === 'tool-result') messages.push(event.message);
    if (event.type === 'compaction') edits.push(...event.edits);
    if (state.turnCount !== turnIndex) continue;
    own.push(event);
    const agent = agentOf(state, LEAD);
    if (agent.requests > before) {
      const view = agent.view.toArray();
      requests.push({
        request: agent.requests,
        step: 'n' in event ? event.n : event.step,
        messages: view.length,
        tokens: view.reduce((sum, message) => sum + message.tokens, 0),
        hash: textHash(JSON.stringify(view)),
      });
    }
  }
  if (own.length === 0) return null;
  const head = { format: TRAJECTORY_FORMAT, version: TRAJECTORY_VERSION } as const;
  return { ...head, turn: turnIndex, messages, edits, requests, events: own };
}
