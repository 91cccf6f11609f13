/** The gate that every new memory passes (runtime.md, Memory): for now its length. */
import { countCharacters } from '../tools/output.ts';
import type { MemoryGate } from './memory.ts';

const MIN_CHARS = 10;
const MAX_CHARS = 2000;

export const lengthGate: MemoryGate = ({ content }) => {
  const chars = countCharacters(content);
  if (chars >= MIN_CHARS && chars <= MAX_CHARS) return null;
  return {
    zh: `内容有 ${chars} 个字符；应为 ${MIN_CHARS} 到 ${MAX_CHARS} 个。请写成一条完整而简洁的陈述。`,
    en: `the content has ${chars} characters; it takes ${MIN_CHARS} to ${MAX_CHARS}. Write one complete, concise statement.`,
  };
};
