/** The sections of a session's system prompt: from the profile, the tools, the skills and the memories (context.md 2). */
import { type Language, memorySection, type Section, skillsSection, toolsSection } from '@astroresearch/core';
import type { AgentParts } from '../agent-parts.ts';

export async function assemblePrompt(
  parts: Pick<AgentParts, 'profile' | 'tools' | 'skills' | 'memories'>,
  language: Language,
): Promise<readonly Section[]> {
  const [skills, memories] = await Promise.all([parts.skills(), parts.memories()]);
  return [
    { name: 'identity', kind: 'static', text: parts.profile.identity[language] },
    { name: 'principles', kind: 'static', text: parts.profile.principles[language] },
    toolsSection(parts.tools, language),
    skillsSection(skills, language),
    memorySection(memories, language),
  ];
}
