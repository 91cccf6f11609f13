/** What a repair says to the model, in both languages. */
import type { Language } from './language.ts';
import type { RepairTexts } from './repair.ts';

const TEXTS: Readonly<Record<Language, RepairTexts>> = {
  zh: { missingResult: '（结果缺失：调用被中断，未记录结果）', opening: '（以下为较早对话的延续。）' },
  en: {
    missingResult: '(no result was recorded: the call was interrupted)',
    opening: '(What follows goes on from an earlier conversation.)',
  },
};

export function repairTexts(language: Language): RepairTexts {
  return TEXTS[language];
}
