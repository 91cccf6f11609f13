/** Which of the two languages a session speaks (context.md 2). */

export type Language = 'zh' | 'en';
export type LanguageSetting = Language | 'auto';
/** One text in both languages. */
export type Bilingual = { readonly zh: string; readonly en: string };

const HAN = /\p{Script=Han}/u;
const KANA_OR_HANGUL = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** `auto` follows the session's first user message: Chinese where it holds Han characters and is not Japanese or Korean. */
export function chooseLanguage(setting: LanguageSetting, firstUserText: string): Language {
  if (setting !== 'auto') return setting;
  return HAN.test(firstUserText) && !KANA_OR_HANGUL.test(firstUserText) ? 'zh' : 'en';
}
