/** `compress_context`: the model's own hand on its context (context.md 7); done before its next call. */
import { z } from 'zod';
import { defineTool } from '../tools/tool.ts';

export const compressContextTool = defineTool({
  name: 'compress_context',
  summary: { zh: '压缩较早的对话，腾出上下文空间', en: 'Compact the earlier conversation to make room' },
  description: {
    zh: '请求在下一步之前压缩较早的对话。原文都会保留，可用 recall_context 取回。完成一个子任务、资料很多时使用。',
    en: 'Asks for the earlier conversation to be compacted before the next step. Originals are kept and recall_context gives them back. Use it when a part of the work is done and much material has piled up.',
  },
  input: z.object({
    keep: z
      .string()
      .max(1_000)
      .optional()
      .meta({ description: 'What the summary should keep in particular', zh: '摘要中要特别保留的内容' }),
  }),
  effect: 'idempotent',
  ownState: true,
  async execute({ keep }, { language }) {
    const text = {
      zh: '已登记：下一步之前会压缩较早的对话。',
      en: 'Noted: the earlier conversation will be compacted before the next step.',
    }[language];
    return { text, facts: [{ type: 'compact-requested', keep: keep ?? null }] };
  },
});
