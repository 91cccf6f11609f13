/** `recall_context`: gives back what was compacted or cut, by ref or by words, of this conversation alone (context.md 1). */
import { z } from 'zod';
import { FRAME_CHARS, ITEM_CHARS, recalledText, refusalText } from '../recall/recall-texts.ts';
import { RECALL_TOOL } from '../recall/recall-types.ts';
import { defineTool, ToolError } from '../tools/tool.ts';

export const recallContextTool = defineTool({
  name: RECALL_TOOL,
  summary: { zh: '取回本次对话中被压缩或截断的原文', en: 'Get back what was compacted or cut' },
  description: {
    zh: '取回本次对话的原文。占位符、摘要和被截断的结果都写有 ref：用 ref 分页读取原文（offset 续读）。不知道 ref 时，用 query 搜索全部存档的消息和完整的工具结果，返回命中处的节选及其 ref。两者同时给出则只在 ref 内搜索。',
    en: 'Gives back originals of this conversation. Placeholders, summaries and cut results name a ref: read it in pages, and on with offset. Without a ref, query searches all stored messages and whole tool outputs and returns excerpts around the hits with their refs. Both together search inside the ref.',
  },
  input: z.object({
    ref: z.string().optional().meta({
      description: 'A message, m42, or a range, m4-m31',
      zh: '一条消息（m42）或一个范围（m4-m31）',
      example: 'm42',
    }),
    query: z
      .string()
      .optional()
      .meta({ description: 'Words as the text has them', zh: '原文中的词语，用空格分隔' }),
    offset: z.int().min(0).optional().meta({
      description: 'With ref: characters to pass over; with query: hits to pass over',
      zh: '配合 ref：跳过的字符数；配合 query：跳过的命中数',
    }),
  }),
  effect: 'read',
  async execute({ ref, query, offset }, { recall, maxOutputChars, language, signal }) {
    const outcome = await recall({
      ...(ref === undefined ? {} : { ref }),
      ...(query === undefined ? {} : { query }),
      ...(offset === undefined ? {} : { offset }),
      limitChars: Math.max(1, maxOutputChars - FRAME_CHARS),
      itemChars: ITEM_CHARS,
      signal,
    });
    if (outcome.kind === 'refused') {
      throw new ToolError({ zh: refusalText(outcome, 'zh'), en: refusalText(outcome, 'en') });
    }
    return { text: recalledText(outcome, language) };
  },
});
