/** `save_memory`: keeps a fact for later sessions, if the gate lets it pass (runtime.md, Memory). */
import type { Language } from '@astroresearch/core';
import { z } from 'zod';
import { MEMORY_TYPES, type MemoryFiles, type SaveOutcome } from '../memories/memory.ts';
import { defineTool, type Tool, type ToolOutput } from '../tools/tool.ts';

const input = z.object({
  type: z.enum(MEMORY_TYPES).meta({
    description:
      'user: who the user is; feedback: how the user wants things done; project: facts of the project; reference: where something is found',
    zh: 'user：用户是谁；feedback：用户希望怎样做；project：项目的事实；reference：去哪里查找',
    example: 'project',
  }),
  name: z.string().min(1).meta({
    description: 'Short name in lower case with dashes, unique among all memories',
    zh: '简短名称，小写，用连字符连接，不与其他记忆重复',
    example: 'plate-scale',
  }),
  content: z.string().min(1).meta({
    description:
      'The fact in full sentences, 10 to 2000 characters, understandable without this conversation',
    zh: '完整陈述的事实，10 到 2000 个字符，脱离本次对话也能看懂',
    example: 'The plate scale of the survey camera is 0.263 arcsec per pixel.',
  }),
  update: z
    .boolean()
    .optional()
    .meta({ description: 'true replaces the memory of this name', zh: 'true 表示替换同名的记忆' }),
});

export function saveMemoryTool(memories: MemoryFiles): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'save_memory',
    summary: { zh: '为以后的会话保存一条记忆', en: 'Save a memory for later sessions' },
    description: {
      zh: '保存一条值得在以后的会话中记住的事实、偏好或出处。不要保存提问、对话原文、密钥，或随时可以查到的内容。',
      en: 'Saves a fact, preference or source that is worth knowing in later sessions. No questions, no transcript lines, no secrets, nothing that can be looked up at any time.',
    },
    input,
    effect: 'idempotent',
    ownState: true,
    async execute({ type, name, content, update = false }, { language }) {
      return describe(await memories.save({ type, name, content, update }), name, language);
    },
  });
}

function describe(outcome: SaveOutcome, name: string, language: Language): ToolOutput {
  switch (outcome.kind) {
    case 'saved':
      return { text: { zh: `已保存记忆 ${name}。`, en: `Saved the memory ${name}.` }[language] };
    case 'updated':
      return { text: { zh: `已更新记忆 ${name}。`, en: `Updated the memory ${name}.` }[language] };
    case 'refused': {
      const heading = { zh: '没有保存：', en: 'Not saved: ' }[language];
      return { failed: true, text: `${heading}${outcome.reason[language]}` };
    }
    default:
      return outcome satisfies never;
  }
}
