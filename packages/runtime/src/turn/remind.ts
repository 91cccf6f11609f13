/** Performs one reminder: a message that tells the model, and the event that tells everybody else. */
import {
  type Action,
  diminishingText,
  type NewEvent,
  type NudgeKind,
  nudgeText,
  type RunningTurn,
  reminderText,
  type Settings,
  todoReminderText,
} from '@astroresearch/core';
import { userMessage } from './new-message.ts';
import { stampOf } from './stamp.ts';
import type { TurnParts } from './turn-parts.ts';

type Remind = Extract<Action, { kind: 'remind' }>;

export function remind({ nudge }: Remind, turn: RunningTurn, parts: TurnParts): readonly NewEvent[] {
  const stamp = stampOf(turn, parts);
  const text = reminderText(textOf(nudge, turn, parts.settings));
  return [
    { ...stamp, type: 'message', message: userMessage(parts, turn, text, 'nudge') },
    { ...stamp, type: 'nudge', level: nudge, spentTokens: turn.spentTokens },
  ];
}

function textOf(nudge: NudgeKind, { spentTokens, language }: RunningTurn, { budget }: Settings): string {
  switch (nudge) {
    case 'near_soft':
    case 'over_soft':
      return nudgeText(nudge, spentTokens, budget.softTokens, language);
    case 'over_hard':
      return nudgeText(nudge, spentTokens, budget.hardTokens, language);
    case 'diminishing':
      return diminishingText(language);
    case 'todo':
      return todoReminderText(language);
    case 'duplicate':
      throw new Error('a duplicate is told in its own result');
    default:
      return nudge satisfies never;
  }
}
