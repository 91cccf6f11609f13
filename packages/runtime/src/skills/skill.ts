/** A skill: know-how in a folder of its own, listed by name and one line, read in full on demand (runtime.md, Skills). */

export type Skill = {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Where it is worth listing; null: everywhere. */
  readonly when: SkillCondition | null;
  /** The text behind the front matter, read from disk at each call. Throws `ToolError` where that is gone. */
  readBody(): Promise<string>;
};

export type SkillCondition = {
  readonly tools: readonly string[];
  readonly keywords: readonly string[];
  /** Globs. */
  readonly paths: readonly string[];
};

/** A folder with a `SKILL.md` that cannot be used, and why. */
export type BrokenSkill = { readonly folder: string; readonly reason: string };

export type SkillList = { readonly skills: readonly Skill[]; readonly broken: readonly BrokenSkill[] };
