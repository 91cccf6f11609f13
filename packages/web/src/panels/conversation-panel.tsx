/** Research: ask, watch the answer come, stop it (ui.md). The same events as every other client sees. */
import type { Timeline } from '@astroresearch/core';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Activity } from '../parts/activity.tsx';
import { Icon } from '../parts/icon.tsx';
import { TimelineRows } from '../parts/timeline-rows.tsx';
import { useServices, useSession, useTexts } from '../services.ts';
import { useAsk } from '../state/use-ask.ts';
import { useStickToEnd } from '../state/use-stick-to-end.ts';
import { Composer } from './composer.tsx';
import { EmptyState } from './empty-state.tsx';

export function ConversationPanel({
  boxRef,
}: {
  readonly boxRef: RefObject<HTMLTextAreaElement | null>;
}): ReactNode {
  const texts = useTexts();
  const { place } = useServices();
  const { sessionId, timeline, connection } = useSession();
  const asking = useAsk();
  const { frame, atEnd, toEnd } = useStickToEnd(sessionId);

  const send = (question?: string) => {
    toEnd();
    asking.send(question);
  };

  return (
    <div className="conversation">
      <div className="scroll" ref={frame}>
        <div className="column">
          {sessionId === null ? <EmptyState onAsk={send} /> : null}
          {connection === 'gone' ? (
            <div className="remark" role="alert">
              <p>{texts.gone}</p>
              <button type="button" className="button" onClick={() => place.go(null)}>
                {texts.startAfresh}
              </button>
            </div>
          ) : null}
          {sessionId !== null && timeline.lastSeq === 0 && connection !== 'gone' ? <Loading /> : null}
          <TimelineRows items={timeline.items} />
          <Activity timeline={timeline} />
          {timeline.turn?.status === 'failed' ? (
            <button
              type="button"
              className="button ask-again"
              onClick={() => send(lastQuestion(timeline))}
              disabled={asking.sending}
            >
              {texts.askAgain}
            </button>
          ) : null}
        </div>
      </div>
      <div className="dock">
        {connection === 'reconnecting' ? (
          <p className="dock-remark" role="status">
            {texts.reconnecting}
          </p>
        ) : null}
        {atEnd ? null : (
          <button
            type="button"
            className="to-end"
            onClick={toEnd}
            aria-label={texts.jumpToLatest}
            title={texts.jumpToLatest}
          >
            <Icon name="down" />
          </button>
        )}
        <Composer
          boxRef={boxRef}
          text={asking.text}
          onText={asking.setText}
          onSend={() => send()}
          fault={asking.fault}
          sending={asking.sending}
        />
      </div>
    </div>
  );
}

function lastQuestion({ items }: Timeline): string {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items.at(index);
    if (item?.type === 'user') return item.text;
  }
  return '';
}

/** Sessions open fast: only a slow one says that it is loading. */
function Loading(): ReactNode {
  const texts = useTexts();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const waiting = setTimeout(() => setSlow(true), 400);
    return () => clearTimeout(waiting);
  }, []);
  return slow ? <p className="remark">{texts.loading}</p> : null;
}
