/** One item of the agent's plan, as `todo_write` gave it (a row of `agent_tasks`). */
export type Task = {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
  readonly blockedBy: readonly string[];
};

export function openTasks(tasks: readonly Task[]): readonly Task[] {
  return tasks.filter((task) => task.status !== 'completed');
}
