/** Whether to remind the model of its plan: three steps in a row without `todo_write` (context.md 4). */

/** One an agent and turn. Back to `NEW_PLAN_WATCH` once the reminder was given. */
export type PlanWatch = { readonly stepsWithoutPlan: number };

export const NEW_PLAN_WATCH: PlanWatch = { stepsWithoutPlan: 0 };

const PATIENCE_STEPS = 3;

/** A step is over. `wrotePlan`: one of its calls was `todo_write`. */
export function watchStep(watch: PlanWatch, wrotePlan: boolean): PlanWatch {
  return wrotePlan ? NEW_PLAN_WATCH : { stepsWithoutPlan: watch.stepsWithoutPlan + 1 };
}

/** Asked before a model call that offers tools; only while `todo_write` is one of them. */
export function isTodoReminderDue(watch: PlanWatch, canPlan: boolean): boolean {
  return canPlan && watch.stepsWithoutPlan >= PATIENCE_STEPS;
}
