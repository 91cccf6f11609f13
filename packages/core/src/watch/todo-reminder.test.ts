/** Three steps without the plan, one reminder. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedCallText, todoReminderText } from './texts.ts';
import { isTodoReminderDue, NEW_PLAN_WATCH, watchStep } from './todo-reminder.ts';

/** Before which calls of a turn the reminder comes; `steps`: whether each wrote the plan. */
function reminders(steps: readonly boolean[], canPlan = true): readonly number[] {
  let watch = NEW_PLAN_WATCH;
  return steps.flatMap((wrotePlan, index) => {
    watch = watchStep(watch, wrotePlan);
    if (!isTodoReminderDue(watch, canPlan)) return [];
    watch = NEW_PLAN_WATCH;
    return [index + 2];
  });
}

describe('the reminder of the plan', () => {
  it('comes before the fourth call of a turn that never planned, then before the seventh', () => {
    expect(reminders([false, false, false, false, false, false, false])).toEqual([4, 7]);
  });

  it('starts to count again when the plan was written', () => {
    expect(reminders([false, false, true, false, false])).toEqual([]);
    expect(reminders([true, false, false, false])).toEqual([5]);
  });

  it('never comes where there is no todo_write', () => {
    expect(reminders([false, false, false, false], false)).toEqual([]);
  });

  it('has three steps without the plan behind it each time, and none with it', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (steps) => {
        const calls = reminders(steps);
        calls.forEach((call, index) => {
          expect(steps.slice(call - 4, call - 1)).toEqual([false, false, false]);
          expect(call - (calls[index - 1] ?? 1)).toBeGreaterThanOrEqual(3);
        });
      }),
    );
  });
});

describe('texts', () => {
  it('exist in both languages and say what to do', () => {
    expect(todoReminderText('zh')).toContain('todo_write');
    expect(todoReminderText('en')).toContain('todo_write');
    expect(refusedCallText('read_file', { kind: 'duplicate', times: 3 }, 'zh')).toContain('连续 3 次');
    expect(refusedCallText('read_file', { kind: 'duplicate', times: 3 }, 'en')).toContain('3 times in a row');
    expect(refusedCallText('read_file', { kind: 'cycle', length: 2 }, 'zh')).toContain('2 个调用');
    expect(refusedCallText('read_file', { kind: 'cycle', length: 2 }, 'en')).toContain('same 2 calls');
  });
});
