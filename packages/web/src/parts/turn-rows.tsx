/** The rows that frame a turn: the question that opens it, the fault and the line that close it. */
import type { ErrorItem, TurnEndItem, UserItem } from '@astroresearch/core';
import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatTime, formatUsd, spanMs } from '../format.ts';
import { usePreferences, useServices, useTexts } from '../services.ts';
import { Icon } from './icon.tsx';

/** A short question reads as the title of what follows; a long one as text. */
const TITLE_CHARS = 220;

export function UserRow({ item }: { readonly item: UserItem }): ReactNode {
  const texts = useTexts();
  const { language } = usePreferences();
  const { nowMs } = useServices();
  return (
    <div className="row row-user">
      <p className="row-by">
        {texts.you} · <time dateTime={item.at}>{formatTime(item.at, nowMs(), language)}</time>
      </p>
      {item.text.length <= TITLE_CHARS ? (
        <h2 className="question">{item.text}</h2>
      ) : (
        <p className="question question-long">{item.text}</p>
      )}
    </div>
  );
}

export function ErrorRow({ item }: { readonly item: ErrorItem }): ReactNode {
  const texts = useTexts();
  return (
    <div className="row fault" role="alert">
      <Icon name="alert" />
      <div>
        <p className="fault-title">
          {texts.errorTitle} <code>{item.kind}</code>
        </p>
        <p>{item.message}</p>
      </div>
    </div>
  );
}

export function TurnEndRow({ item }: { readonly item: TurnEndItem }): ReactNode {
  const texts = useTexts();
  const { language } = usePreferences();
  const elapsedMs = spanMs(item.startedAt, item.at);
  const parts = [
    texts.doneStatus[item.status],
    ...(item.usage === null ? [] : [texts.steps(item.usage.steps)]),
    ...(elapsedMs === null ? [] : [formatDuration(elapsedMs, texts)]),
    ...(item.usage === null ? [] : [texts.tokens(formatCount(totalOf(item.usage), language))]),
    ...(item.usage === null || item.usage.costUsd === null ? [] : [formatUsd(item.usage.costUsd, language)]),
  ];
  return (
    <p className="row turn-end" data-status={item.status}>
      {parts.join(' · ')}
    </p>
  );
}

function totalOf(usage: NonNullable<TurnEndItem['usage']>): number {
  return usage.promptTokens + usage.completionTokens;
}
