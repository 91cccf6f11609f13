/** What the monitors of a turn learn from its events: loop guard, progress, plan (context.md 4). */
import { recordStep } from '../budget/diminishing-returns.ts';
import { type ToolCallPart, textOf } from '../message/message.ts';
import { type CallGuard, guardedCall, recordCalls, recordOutcome } from '../watch/duplicate-calls.ts';
import { type News, nextCheck, noteChange, noteResult, type ResultMark } from '../watch/news.ts';
import { textHash } from '../watch/text-hash.ts';
import { NEW_PLAN_WATCH, watchStep } from '../watch/todo-reminder.ts';
import type { EventOf } from './event.ts';
import type { OpenCall, RunningTurn, TurnWatch } from './state.ts';

/** The calls of a new assistant message, each with whether it may run. */
export function guardCalls(
  turn: RunningTurn,
  calls: readonly ToolCallPart[],
): { readonly guard: CallGuard; readonly openCalls: readonly OpenCall[] } {
  const guarded = calls.map((call) => guardedCall(call, turn.pollTools.includes(call.name)));
  const { guard, verdicts } = recordCalls(turn.watch.guard, guarded);
  const openCalls = calls.map((call, index) => ({
    call,
    started: false,
    verdict: verdicts[index] ?? { kind: 'run' as const },
  }));
  return { guard, openCalls };
}

/** A result came; the step is over when it was the last. `turn` has the result's tokens already. */
export function afterResult(turn: RunningTurn, event: EventOf<'tool-result'>): Partial<RunningTurn> {
  const openCalls = turn.openCalls.filter((open) => open.call.toolCallId !== event.toolCallId);
  const refused = turn.openCalls.some(
    (open) => open.call.toolCallId === event.toolCallId && open.verdict.kind !== 'run',
  );
  const wrote = event.status === 'ok' && turn.writeTools.includes(event.name);
  const mark = event.unchanged === true ? 'unchanged' : textHash(textOf(event.message));
  const watch = {
    ...turn.watch,
    guard: recordOutcome(turn.watch.guard, event.toolCallId, mark),
    news: newsAfter(turn.watch.news, mark, refused, wrote),
  };
  return { openCalls, watch: openCalls.length === 0 ? afterStep(turn, watch) : watch };
}

/** A refusal tells the model nothing of the world; a write changes it, whatever the tool said. */
function newsAfter(news: News, mark: ResultMark, refused: boolean, wrote: boolean): News {
  if (refused) return news;
  return wrote ? noteChange(noteResult(news, mark)) : noteResult(news, mark);
}

function afterStep(turn: RunningTurn, watch: TurnWatch): TurnWatch {
  const addedTokens = turn.spentTokens - watch.checkedTokens;
  return {
    ...watch,
    progress: recordStep(watch.progress, { addedTokens, news: watch.news.fresh }),
    news: nextCheck(watch.news),
    planWatch: watchStep(watch.planWatch, watch.planned),
    checkedTokens: turn.spentTokens,
  };
}

export function afterNudge(turn: RunningTurn, { level }: EventOf<'nudge'>): TurnWatch {
  const { watch } = turn;
  if (level === 'duplicate') return watch;
  return {
    ...watch,
    nudges: [...watch.nudges, level],
    remindedBeforeStep: turn.step + 1,
    planWatch: level === 'todo' ? NEW_PLAN_WATCH : watch.planWatch,
  };
}
