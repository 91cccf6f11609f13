/** What the facts room says to the model, in both languages. */
import type { Language } from '../message/language.ts';

/** `uses`: tool → calls. Empty where there were none. */
export function doneText(uses: ReadonlyMap<string, number>, language: Language): string {
  if (uses.size === 0) return '';
  const listed = [...uses].map(([name, times]) => (times === 1 ? name : `${name} ×${times}`));
  return language === 'zh' ? `已做：${listed.join('、')}。` : `Done: ${listed.join(', ')}.`;
}
