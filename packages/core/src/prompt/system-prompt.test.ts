/** The system prompt (context.md 2): static sections first, one language, nothing empty. */
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../message/language.ts';
import { memorySection, skillsSection, systemPrompt, toolsSection } from './system-prompt.ts';
import { outOfStepsText, taskStateText } from './texts.ts';

const HAN = /\p{Script=Han}/u;

describe('systemPrompt', () => {
  it('puts static sections first, in their order, and leaves empty ones out', () => {
    expect(
      systemPrompt([
        { name: 'identity', kind: 'static', text: 'I am.' },
        { name: 'tools', kind: 'dynamic', text: 'T' },
        { name: 'skills', kind: 'dynamic', text: '' },
        { name: 'principles', kind: 'static', text: 'P' },
      ]),
    ).toBe('I am.\n\nP\n\nT');
  });

  it('lists tools, skills and memories in the session’s language only', () => {
    const tools = [{ name: 'read_file', summary: { zh: '读取文件', en: 'Reads a file' } }];
    expect(toolsSection(tools, 'en').text).toBe('# Tools\n- read_file: Reads a file');
    expect(toolsSection(tools, 'zh').text).toContain('读取文件');
    const skill = skillsSection([{ name: 'spectra', description: 'Fit lines' }], 'en').text;
    expect(skill).toMatch(/^<system-reminder>\n[\s\S]*- spectra: Fit lines\n<\/system-reminder>$/);
    expect(skill).not.toMatch(HAN);
    expect(memorySection([{ name: 'scale', content: '0.263' }], 'en').text).not.toMatch(HAN);
  });

  it('writes nothing for no tools, skills or memories', () => {
    expect(
      [toolsSection([], 'en'), skillsSection([], 'zh'), memorySection([], 'en')].map((s) => s.text),
    ).toEqual(['', '', '']);
  });
});

describe('chooseLanguage', () => {
  it.each([
    ['auto', '请介绍造父变星', 'zh'],
    ['auto', 'What is M31?', 'en'],
    ['auto', '天文学は楽しい', 'en'],
    ['zh', 'What is M31?', 'zh'],
    ['en', '请介绍', 'en'],
  ] as const)('%s with %s is %s', (setting, text, language) => {
    expect(chooseLanguage(setting, text)).toBe(language);
  });
});

describe('the engine’s own blocks', () => {
  const tasks = [
    { id: '1', content: 'collect', status: 'completed', blockedBy: [] },
    { id: '2', content: 'fit', status: 'in_progress', blockedBy: ['1'] },
  ] as const;

  it('show unfinished tasks only', () => {
    expect(taskStateText(tasks, 'en')).toBe('[Current task state]\n- [in progress] 2: fit (← 1)');
    expect(taskStateText(tasks, 'zh')).toContain('[当前任务状态]');
  });

  it('come as reminders', () => {
    expect(outOfStepsText(3, 'en')).toMatch(/^<system-reminder>\n.*3.*\n<\/system-reminder>$/);
  });
});
