import { createScriptedModel, type LanguageModel } from '@astroresearch/runtime';
export function createOfflineResearcher(): LanguageModel {
  return createScriptedModel({ replies: () => ({ text: 'offline' }) });
}
