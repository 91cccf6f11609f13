/** Memories on disk: one file each, and an index that is rebuilt from the files (runtime.md, Memory; CP26, CP27). */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bilingual } from '@astroresearch/core';
import { errorCode } from '../files/error-code.ts';
import { isSlug } from '../files/slug.ts';
import { createAtomically, removeStrayTemporaries, writeAtomically } from '../files/write-atomically.ts';
import type { Clock, Ids } from '../ports.ts';
import { cleanText } from '../tools/sanitise.ts';
import { lengthGate } from './gate.ts';
import type {
  BrokenMemory,
  Memory,
  MemoryCandidate,
  MemoryFiles,
  MemoryGate,
  MemoryList,
  SaveOutcome,
} from './memory.ts';
import { formatIndex, formatMemory, INDEX_FILE, parseMemory } from './memory-format.ts';

export type MemoryOptions = {
  /** Made at the first save. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly gate?: MemoryGate;
};

const MAX_FILE_BYTES = 64_000;
/** How often an index that another process overtook is made again; the next save makes it anyway. */
const MAX_INDEX_ATTEMPTS = 5;

export function createMemoryFiles({ folder, clock, ids, gate = lengthGate }: MemoryOptions): MemoryFiles {
  let lastSave: Promise<unknown> = Promise.resolve();

  async function save(candidate: MemoryCandidate): Promise<SaveOutcome> {
    const content = cleanText(candidate.content).trim();
    const { type, name, update } = candidate;
    const malformed = nameFault(name);
    if (malformed !== null) return refused(malformed);
    const { memories, broken } = await readMemories(folder);
    const present = memories.find((memory) => memory.name === name);
    if (present?.type === type && present.content === content) return { kind: 'saved' };
    if (present === undefined && broken.some(({ file }) => file === fileName(name))) {
      return refused(unreadable(name));
    }
    if (present !== undefined && !update) return refused(taken(name));
    const others = memories.filter((memory) => memory !== present);
    const objection = gate({ ...candidate, content }, others);
    if (objection !== null) return refused(objection);
    const nowMs = clock.nowMs();
    const memory: Memory = {
      type,
      name,
      content,
      createdAtMs: present?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
    };
    return write(memory, present !== undefined);
  }

  async function write(memory: Memory, replaces: boolean): Promise<SaveOutcome> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeStrayTemporaries(folder, memory.updatedAtMs);
    const file = { folder, name: fileName(memory.name), content: formatMemory(memory), mode: 0o600 };
    if (replaces) await writeAtomically(file, ids);
    else if (!(await createAtomically(file, ids))) return refused(taken(memory.name));
    await rebuildIndex(folder, ids);
    return { kind: replaces ? 'updated' : 'saved' };
  }

  return {
    save(candidate) {
      const saving = lastSave.then(() => save(candidate));
      lastSave = saving.catch(() => {});
      return saving;
    },
    async recent(count) {
      const { memories, broken } = await readMemories(folder);
      return { memories: memories.slice(0, count), broken };
    },
  };
}

/** Whoever writes the index last has looked at the files after that, so no memory stays out of it. */
async function rebuildIndex(folder: string, ids: Ids): Promise<void> {
  let content = formatIndex((await readMemories(folder)).memories);
  for (let attempt = 0; attempt < MAX_INDEX_ATTEMPTS; attempt++) {
    await writeAtomically({ folder, name: INDEX_FILE, content, mode: 0o600 }, ids);
    const current = formatIndex((await readMemories(folder)).memories);
    if (current === content) return;
    content = current;
  }
}

async function readMemories(folder: string): Promise<MemoryList> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const memories: Memory[] = [];
  const broken: BrokenMemory[] = [];
  for (const file of names.sort()) {
    if (!file.endsWith('.md') || file.startsWith('.') || file === INDEX_FILE) continue;
    const memory = await readMemory(folder, file);
    if (typeof memory === 'string') broken.push({ file, reason: memory });
    else if (memory !== null) memories.push(memory);
  }
  memories.sort((a, b) => b.updatedAtMs - a.updatedAtMs || (a.name < b.name ? -1 : 1));
  return { memories, broken };
}

/** A string says why the file is no memory; null: it was removed meanwhile. */
async function readMemory(folder: string, file: string): Promise<Memory | string | null> {
  const path = join(folder, file);
  try {
    const { mtimeMs, size } = await stat(path);
    if (size > MAX_FILE_BYTES) return `larger than ${MAX_FILE_BYTES} bytes`;
    return parseMemory(cleanText(await readFile(path, 'utf8')), file.slice(0, -'.md'.length), mtimeMs);
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' ? null : `cannot be read: ${code ?? String(error)}`;
  }
}

function fileName(name: string): string {
  return `${name}.md`;
}

function refused(reason: Bilingual): SaveOutcome {
  return { kind: 'refused', reason };
}

/** `memory` is the index where letters of either case are the same. */
function nameFault(name: string): Bilingual | null {
  if (isSlug(name) && fileName(name).toLowerCase() !== INDEX_FILE.toLowerCase()) return null;
  const shown = JSON.stringify(name.slice(0, 80));
  return {
    zh: `名称 ${shown} 不可用。请用小写字母、数字和连字符，例如 plate-scale，也可以用汉字。`,
    en: `the name ${shown} cannot be used. Take lower-case letters, digits and dashes, such as plate-scale.`,
  };
}

function taken(name: string): Bilingual {
  return {
    zh: `已有名为 ${name} 的记忆。要替换它，请加 update: true；否则请换一个名称。`,
    en: `there is a memory named ${name} already. To replace it, pass update: true; else choose another name.`,
  };
}

function unreadable(name: string): Bilingual {
  return {
    zh: `文件 ${fileName(name)} 已存在但无法作为记忆读取。请换一个名称。`,
    en: `the file ${fileName(name)} is there but cannot be read as a memory. Choose another name.`,
  };
}
