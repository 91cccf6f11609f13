/** What the engine does beside answering, in words (recovery.md): a wait, a rung, another model, a compaction. */
import type { Language } from '@astroresearch/core';
import { say, TEXTS } from './texts.ts';

/** Null: it is no news. */
export function noticeText(
  type: string,
  data: Readonly<Record<string, unknown>>,
  language: Language,
): string | null {
  const value = (name: string) => String(data[name] ?? '');
  switch (type) {
    case 'retry': {
      const seconds = String(Math.max(1, Math.round(Number(data.delay_ms) / 1_000)));
      return say(TEXTS.waiting, language, { seconds, kind: value('kind'), attempt: value('attempt') });
    }
    case 'recovery': {
      const rung = { kind: value('kind'), action: value('action') };
      if (data.skipped !== undefined)
        return say(TEXTS.recoverySkipped, language, { ...rung, why: value('skipped') });
      return rung.action === 'surface' ? null : say(TEXTS.recovering, language, rung);
    }
    case 'model_switch':
      return say(TEXTS.modelSwitched, language, { to: value('to'), reason: value('reason') });
    case 'compaction': {
      const changed = data.outcome === 'compacted' || data.outcome === 'projected';
      const sizes = { before: value('tokens_before'), after: value('tokens_after') };
      return changed ? say(TEXTS.contextCompacted, language, sizes) : null;
    }
    case 'usage':
      return data.suspected_truncation === true ? say(TEXTS.suspectedTruncation, language) : null;
    default:
      return null;
  }
}
