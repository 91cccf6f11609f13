/** Assembles a session's system prompt from the profile, the tools, the skills and the memories (context.md 2). */
import {
  type Language,
  memorySection,
  type Section,
  skillsSection,
  systemPrompt,
  toolsSection,
} from '@astroresearch/core';
import type { AgentParts } from '../agent-parts.ts';

export async function assemblePrompt(
  parts: Pick<AgentParts, 'profile' | 'tools' | 'skills' | 'memories'>,
  language: Language,
): Promise<string> {
  const [skills, memories] = await Promise.all([parts.skills(), parts.memories()]);
  const sections: readonly Section[] = [
    { name: 'identity', kind: 'static', text: parts.profile.identity[language] },
    { name: 'principles', kind: 'static', text: parts.profile.principles[language] },
    toolsSection(parts.tools, language),
    skillsSection(skills, language),
    memorySection(memories, language),
  ];
  return systemPrompt(sections);
}
