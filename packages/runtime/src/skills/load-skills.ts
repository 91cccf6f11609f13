/** Finds the skills in a folder: `<folder>/<skill>/SKILL.md` (runtime.md, Skills). */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../files/error-code.ts';
import { type FrontMatter, type FrontMatterValue, parseFrontMatter } from '../files/front-matter.ts';
import { isSlug } from '../files/slug.ts';
import { cleanText } from '../tools/sanitise.ts';
import { ToolError } from '../tools/tool.ts';
import type { BrokenSkill, Skill, SkillCondition, SkillList } from './skill.ts';

const SKILL_FILE = 'SKILL.md';
const MAX_FILE_BYTES = 256_000;
const MAX_DESCRIPTION_CHARS = 1000;
const CONDITIONS = ['tools', 'keywords', 'paths'] as const;

/** By folder name. A broken skill is left out and reported; no folder at all gives no skills. */
export async function loadSkills(folder: string): Promise<SkillList> {
  const skills = new Map<string, Skill>();
  const broken: BrokenSkill[] = [];
  for (const name of await foldersIn(folder)) {
    const skill = await loadSkill(join(folder, name));
    if (skill === null) continue;
    if (typeof skill === 'string') broken.push({ folder: name, reason: skill });
    else if (skills.has(skill.name))
      broken.push({ folder: name, reason: `a skill is named ${skill.name} already` });
    else skills.set(skill.name, skill);
  }
  return { skills: [...skills.values()], broken };
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Null: no skill at all. A string says why it cannot be used. */
async function loadSkill(folder: string): Promise<Skill | string | null> {
  const file = await readSkillFile(folder);
  if (file === null || typeof file === 'string') return file;
  if (file.kind === 'broken') return file.reason;
  const name = file.fields.get('name');
  const description = file.fields.get('description');
  if (typeof name !== 'string' || !isSlug(name)) {
    return 'name: is missing, or not lower-case letters, digits and dashes';
  }
  if (typeof description !== 'string' || description.length > MAX_DESCRIPTION_CHARS) {
    return `description: is missing, or over ${MAX_DESCRIPTION_CHARS} characters`;
  }
  if (/<\/?system-reminder/i.test(description)) return 'description: must not hold system-reminder tags';
  const when = conditionOf(file.fields);
  if (typeof when === 'string') return when;
  return { name, description, when, readBody: () => readBody(folder, name) };
}

async function readSkillFile(folder: string): Promise<FrontMatter | string | null> {
  const path = join(folder, SKILL_FILE);
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES) return `larger than ${MAX_FILE_BYTES} bytes`;
    return parseFrontMatter(cleanText(await readFile(path, 'utf8')));
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : `cannot be read: ${code ?? String(error)}`;
  }
}

async function readBody(folder: string, name: string): Promise<string> {
  const file = await readSkillFile(folder);
  if (file !== null && typeof file !== 'string' && file.kind === 'read') return file.body;
  throw new ToolError({
    zh: `技能 ${name} 已被移除或无法读取。`,
    en: `The skill ${name} was removed or cannot be read any more.`,
  });
}

function conditionOf(fields: ReadonlyMap<string, FrontMatterValue>): SkillCondition | string | null {
  const stated = [...fields.keys()].filter((key) => key === 'when' || key.startsWith('when.'));
  if (stated.length === 0) return null;
  const unknown = stated.find((key) => !CONDITIONS.some((condition) => key === `when.${condition}`));
  if (unknown !== undefined) return `${unknown}: must be one of ${CONDITIONS.join(', ')} under when:`;
  const listOf = (condition: (typeof CONDITIONS)[number]): readonly string[] => {
    const value = fields.get(`when.${condition}`) ?? [];
    return typeof value === 'string' ? [value] : value;
  };
  return { tools: listOf('tools'), keywords: listOf('keywords'), paths: listOf('paths') };
}
