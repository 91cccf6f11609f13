/** What the agent is doing right now, for eyes and for screen readers. */
import type { Timeline } from '@astroresearch/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useServices, useTexts } from '../services.ts';
import type { Texts } from '../texts.ts';
import { Mark } from './icon.tsx';

export function Activity({ timeline }: { readonly timeline: Timeline }): ReactNode {
  const texts = useTexts();
  const { running, turn } = timeline;
  const doing = running === null ? null : activityOf(timeline, texts);
  return (
    <>
      {doing === null || turn === null ? null : (
        <p className="activity" aria-hidden="true">
          <Mark />
          <span>{doing}</span>
          {turn.step > 0 ? (
            <span className="activity-detail">{texts.stepOf(turn.step, turn.maxSteps)}</span>
          ) : null}
          <Elapsed since={turn.startedAt} />
        </p>
      )}
      <p className="visually-hidden" role="status" aria-live="polite">
        {doing ?? (turn?.status === 'completed' ? texts.answerReady : '')}
      </p>
    </>
  );
}

function activityOf(timeline: Timeline, texts: Texts): string {
  if (timeline.turn?.stopping) return texts.stopping;
  const item = timeline.items.at(timeline.items.length - 1);
  const tool = runningTool(timeline);
  if (tool !== null) return texts.runningTool(tool);
  if (item?.type === 'thought' && item.state === 'streaming') return texts.thinking;
  if (item?.type === 'answer' && item.state === 'streaming') return texts.writing;
  return texts.waiting;
}

function runningTool(timeline: Timeline): string | null {
  for (const index of timeline.calls.values()) {
    const item = timeline.items.at(index);
    if (item?.type === 'tool' && item.status === 'running') return item.name;
  }
  return null;
}

/** Counts by itself; its clock is the browser's, so a skewed one shows nothing rather than nonsense. */
function Elapsed({ since }: { readonly since: string }): ReactNode {
  const texts = useTexts();
  const { nowMs } = useServices();
  const [now, setNow] = useState(nowMs);
  useEffect(() => {
    const ticking = setInterval(() => setNow(nowMs()), 1000);
    return () => clearInterval(ticking);
  }, [nowMs]);
  const seconds = Math.floor((now - Date.parse(since)) / 1000);
  if (!(seconds >= 1 && seconds < 86_400)) return null;
  const elapsed =
    seconds < 60 ? texts.seconds(String(seconds)) : texts.minutes(Math.floor(seconds / 60), seconds % 60);
  return <span className="activity-detail">{elapsed}</span>;
}
