/** The tools that every agent has, in the order in which the model sees them. */
import type { MemoryFiles } from '../memories/memory.ts';
import type { Tool } from '../tools/tool.ts';
import { compressContextTool } from './compress-context.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { recallContextTool } from './recall-context.ts';
import { saveMemoryTool } from './save-memory.ts';
import { todoWriteTool } from './todo-write.ts';
import { writeFileTool } from './write-file.ts';

export function builtInTools(parts: { readonly memories: MemoryFiles }): readonly Tool[] {
  return [
    readFileTool,
    writeFileTool,
    listFilesTool,
    todoWriteTool,
    recallContextTool,
    compressContextTool,
    saveMemoryTool(parts.memories),
  ];
}
