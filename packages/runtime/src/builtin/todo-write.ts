/** `todo_write`: the agent's plan, replaced as a whole; kept outside the conversation, so no compaction loses it. */
import { type Bilingual, type Language, openTasks, type Task } from '@astroresearch/core';
import { z } from 'zod';
import { defineTool, ToolError } from '../tools/tool.ts';

const MAX_TASKS = 100;

export const todoWriteTool = defineTool({
  name: 'todo_write',
  summary: { zh: '记录并更新任务计划', en: 'Keep the task plan up to date' },
  description: {
    zh: '用给出的列表替换整个任务计划。多步骤的工作开始时建立计划，每完成一步就更新状态；每次都要给出全部任务。',
    en: 'Replaces the whole task plan with the list given. Make a plan when work takes several steps, and update the states after each; always give all tasks.',
  },
  input: z.object({
    todos: z
      .array(
        z.object({
          id: z
            .string()
            .min(1)
            .max(64)
            .meta({ description: 'Short id, unique in the list', zh: '简短且不重复的编号', example: '1' }),
          content: z
            .string()
            .min(1)
            .max(1000)
            .meta({ description: 'What is to be done', zh: '要做什么', example: 'Collect light curves' }),
          status: z
            .enum(['pending', 'in_progress', 'completed'])
            .meta({ description: 'State of the task', zh: '任务状态' }),
          blocked_by: z
            .array(z.string())
            .optional()
            .meta({ description: 'Ids of tasks that must be completed first', zh: '须先完成的任务编号' }),
        }),
      )
      .max(MAX_TASKS)
      .meta({ description: 'All tasks of the plan, in order', zh: '计划中的全部任务，按顺序' }),
  }),
  effect: 'idempotent',
  ownState: true,
  async execute({ todos }, { tasks: before, language }) {
    const tasks: readonly Task[] = todos.map(({ id, content, status, blocked_by: blockedBy = [] }) => {
      return { id, content, status, blockedBy };
    });
    const fault = faultOf(tasks);
    if (fault !== null) throw new ToolError(fault);
    if (JSON.stringify(tasks.map(fieldsOf)) === JSON.stringify(before.map(fieldsOf))) {
      return { text: unchangedText(language) };
    }
    return { text: savedText(tasks, language), facts: [{ type: 'tasks', tasks }] };
  },
});

function fieldsOf({ id, content, status, blockedBy }: Task): readonly unknown[] {
  return [id, content, status, blockedBy];
}

function faultOf(tasks: readonly Task[]): Bilingual | null {
  const ids = new Set<string>();
  for (const { id } of tasks) {
    if (ids.has(id)) {
      return {
        zh: `编号 ${JSON.stringify(id)} 出现了两次；每个任务要有自己的编号。`,
        en: `The id ${JSON.stringify(id)} is there twice; give each task its own.`,
      };
    }
    ids.add(id);
  }
  for (const { id, blockedBy } of tasks) {
    const wrong = blockedBy.find((blocker) => blocker === id || !ids.has(blocker));
    if (wrong !== undefined) {
      return {
        zh: `任务 ${JSON.stringify(id)} 的 blocked_by 含有 ${JSON.stringify(wrong)}，它不是列表中另一个任务的编号。`,
        en: `blocked_by of task ${JSON.stringify(id)} names ${JSON.stringify(wrong)}, which is not the id of another task in the list.`,
      };
    }
  }
  return null;
}

function unchangedText(language: Language): string {
  return {
    zh: '计划与之前完全相同，没有改动。请继续执行任务。',
    en: 'The plan is the same as before; nothing was changed. Go on with the work.',
  }[language];
}

function savedText(tasks: readonly Task[], language: Language): string {
  const open = openTasks(tasks).length;
  return {
    zh: `计划已保存：共 ${tasks.length} 项，未完成 ${open} 项。`,
    en: `Plan saved: ${tasks.length} tasks, ${open} of them open.`,
  }[language];
}
