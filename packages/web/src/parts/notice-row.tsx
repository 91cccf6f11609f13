/** What the engine did on the way, in one quiet line. */
import type { Notice, NoticeItem } from '@astroresearch/core';
import type { ReactNode } from 'react';
import { formatCount, formatDuration } from '../format.ts';
import { usePreferences, useTexts } from '../services.ts';
import type { Texts } from '../texts.ts';
import { Icon } from './icon.tsx';

export function NoticeRow({ item }: { readonly item: NoticeItem }): ReactNode {
  const texts = useTexts();
  const { language } = usePreferences();
  const detail = item.notice.about === 'attempt_failed' ? item.notice.message : undefined;
  return (
    <p className="row rail notice" data-about={item.notice.about} title={detail}>
      <span className="rail-node">
        <Icon name={item.notice.about === 'attempt_failed' ? 'alert' : 'info'} />
      </span>
      {sentence(item.notice, texts, (count) => formatCount(count, language))}
    </p>
  );
}

function sentence(notice: Notice, texts: Texts, count: (value: number) => string): string {
  const { notice: words } = texts;
  switch (notice.about) {
    case 'attempt_failed':
      return words.attemptFailed(notice.kind);
    case 'retry':
      return words.retry(notice.attempt, formatDuration(notice.delayMs, texts));
    case 'recovery':
      return words.recovery(notice.action);
    case 'nudge':
      return words.nudge[notice.level] ?? notice.level;
    case 'compaction':
      return notice.outcome === 'cannot_fit'
        ? words.compactionFailed(notice.outcome)
        : words.compaction(count(notice.tokensBefore), count(notice.tokensAfter));
    case 'model_switch':
      return words.modelSwitch(notice.from, notice.to);
    case 'suspected_truncation':
      return words.suspectedTruncation;
    case 'note':
      return notice.text;
    default:
      return notice satisfies never;
  }
}
