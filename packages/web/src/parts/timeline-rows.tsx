/** All rows of a session. Only the chunk that an event touched, and in it only the row, is drawn again. */
import { ChunkedList, type Timeline, type TimelineItem } from '@astroresearch/core';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { AnswerRow } from './answer-row.tsx';
import { NoticeRow } from './notice-row.tsx';
import { ThoughtRow } from './thought-row.tsx';
import { ToolRow } from './tool-row.tsx';
import { ErrorRow, TurnEndRow, UserRow } from './turn-rows.tsx';

/** So far outside the view a chunk is drawn before its reader comes to it. */
const AHEAD_PX = 1600;

export function TimelineRows({ items }: { readonly items: Timeline['items'] }): ReactNode {
  const { chunks } = items;
  return chunks.map((chunk, position) => {
    const start = ChunkedList.startOf(position);
    return <Chunk key={start} items={chunk} start={start} atEnd={position >= chunks.length - 2} />;
  });
}

/** An old chunk of a long session waits as an empty place until its reader scrolls near; then it stays. */
const Chunk = memo(function Chunk({
  items,
  start,
  atEnd,
}: {
  readonly items: readonly TimelineItem[];
  readonly start: number;
  readonly atEnd: boolean;
}): ReactNode {
  const [drawn, setDrawn] = useState(atEnd);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (drawn || place.current === null) return;
    const watch = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setDrawn(true),
      { root: place.current.closest('.scroll'), rootMargin: `${AHEAD_PX}px 0px` },
    );
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [drawn]);
  return (
    <div ref={place} className={drawn ? 'chunk' : 'chunk chunk-waiting'}>
      {/* An item's number in the session never changes. */}
      {drawn ? items.map((item, index) => row(item, start + index)) : null}
    </div>
  );
});

function row(item: TimelineItem, number: number): ReactNode {
  return <Row key={number} item={item} />;
}

const Row = memo(function Row({ item }: { readonly item: TimelineItem }): ReactNode {
  const own = rowOf(item);
  return item.agentName.startsWith('sub_') ? (
    <div className="row-subagent" data-agent={item.agentName}>
      {own}
    </div>
  ) : (
    own
  );
});

function rowOf(item: TimelineItem): ReactNode {
  switch (item.type) {
    case 'user':
      return <UserRow item={item} />;
    case 'thought':
      return <ThoughtRow item={item} />;
    case 'answer':
      return <AnswerRow item={item} />;
    case 'tool':
      return <ToolRow item={item} />;
    case 'notice':
      return <NoticeRow item={item} />;
    case 'error':
      return <ErrorRow item={item} />;
    case 'turn-end':
      return <TurnEndRow item={item} />;
    default:
      return item satisfies never;
  }
}
