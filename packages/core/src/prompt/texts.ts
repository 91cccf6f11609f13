/** Every text that the engine writes for the model, in both languages. Code never recognises a block by its text. */

import type { Language } from '../message/language.ts';
import { openTasks, type Task } from './task.ts';

/** The open plan, for the start of a turn. */
export function taskStateText(tasks: readonly Task[], language: Language): string {
  const heading = { zh: '[当前任务状态]', en: '[Current task state]' }[language];
  const statuses = {
    zh: { pending: '待办', in_progress: '进行中', completed: '已完成' },
    en: { pending: 'pending', in_progress: 'in progress', completed: 'completed' },
  }[language];
  const lines = openTasks(tasks).map((task) => {
    const blocked = task.blockedBy.length === 0 ? '' : ` (← ${task.blockedBy.join(', ')})`;
    return `- [${statuses[task.status]}] ${task.id}: ${task.content}${blocked}`;
  });
  return [heading, ...lines].join('\n');
}

/** The steps of the turn are used up; the call that follows offers no tools. */
export function outOfStepsText(maxSteps: number, language: Language): string {
  const text = {
    zh: `本轮的 ${maxSteps} 步已用完。请根据已有结果直接给出最终答案，并说明还有什么没有完成。`,
    en: `The ${maxSteps} steps of this turn are used up. Give the final answer from what is known, and say what is left undone.`,
  }[language];
  return reminderText(text);
}

/** What stands in the history for a call that was not carried out to its end. */
export function unfinishedCallText(status: 'cancelled' | 'interrupted', language: Language): string {
  return {
    cancelled: {
      zh: '用户取消了这次调用。它可能没有执行，也可能只执行了一部分。',
      en: 'The user cancelled this call. It may not have run, or only in part.',
    },
    interrupted: {
      zh: '调用被中断，结果未知。重试之前请先确认它是否已经生效。',
      en: 'The call was interrupted; its outcome is unknown. Verify whether it took effect before trying again.',
    },
  }[status][language];
}

/** The frame of what the engine tells the model between its messages. */
export function reminderText(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

/** Thinking was asked for where the provider has no switch for it. */
export function thinkingIgnoredText(provider: string, language: Language): string {
  return {
    zh: `enable_thinking 只对 dashscope（千问）有效；${provider} 忽略了它。`,
    en: `enable_thinking works with dashscope (Qwen) only; ${provider} ignores it.`,
  }[language];
}
