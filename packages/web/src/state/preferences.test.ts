/** What is remembered, and what follows the browser. */
import { expect, it } from 'vitest';
import { createPreferences, type KeyValues, languageFrom } from './preferences.ts';

function memory(): KeyValues & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value);
    },
  };
}

it('follows the browser until a language is chosen', () => {
  const storage = memory();
  expect(createPreferences(storage, ['zh-CN', 'en']).snapshot().language).toBe('zh');
  createPreferences(storage, ['zh-CN']).change({ theme: 'dark' });
  expect(createPreferences(storage, ['en-US']).snapshot()).toMatchObject({ language: 'en', theme: 'dark' });
  createPreferences(storage, ['en-US']).change({ language: 'zh' });
  expect(createPreferences(storage, ['en-US']).snapshot()).toMatchObject({ language: 'zh', theme: 'dark' });
});

it('takes the first language that it speaks', () => {
  expect(languageFrom(['de-DE', 'zh-Hant-TW', 'en'])).toBe('zh');
  expect(languageFrom(['fr'])).toBe('en');
});

it('works where nothing can be stored and where nonsense was', () => {
  const refusing: KeyValues = {
    getItem: () => '{"theme":',
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  const preferences = createPreferences(refusing, ['en']);
  preferences.change({ theme: 'light' });
  expect(preferences.snapshot().theme).toBe('light');
});
