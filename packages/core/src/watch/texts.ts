/** What the model is told by the watch, in both languages; the frame around a reminder is the prompt's (context.md 4). */
import type { Language } from '../message/language.ts';
import type { CallVerdict } from './duplicate-calls.ts';

/** The error result of a call that the loop guard did not let run. */
export function refusedCallText(
  toolName: string,
  verdict: Exclude<CallVerdict, { kind: 'run' }>,
  language: Language,
): string {
  switch (verdict.kind) {
    case 'duplicate':
      return {
        zh: `没有执行：${toolName} 已连续 ${verdict.times} 次以相同的参数被调用。请使用已有的结果，换用别的参数或工具，或直接给出答案。`,
        en: `Not run: ${toolName} was asked for with the same arguments ${verdict.times} times in a row. Use the result you have, change the arguments or the tool, or give the answer.`,
      }[language];
    case 'cycle':
      return {
        zh: `没有执行：同样的 ${verdict.length} 个调用已循环 3 轮，结果没有变化。请使用已有的结果，换一种办法，或直接给出答案。`,
        en: `Not run: the same ${verdict.length} calls went round 3 times with the same results. Use the results you have, go another way, or give the answer.`,
      }[language];
    default:
      return verdict satisfies never;
  }
}

export function todoReminderText(language: Language): string {
  return {
    zh: '已连续 3 步没有更新计划。任务若有多个步骤，请用 todo_write 记录或更新进度；简单的任务可以忽略这条提醒。',
    en: 'The plan has not been updated for 3 steps. If the task has several parts, record or update them with todo_write; for a simple task, ignore this reminder.',
  }[language];
}
