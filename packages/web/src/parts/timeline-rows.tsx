/** All rows of a session. Only the chunk that an event touched, and in it only the row, is drawn again. */
import { ChunkedList, type Timeline, type TimelineItem } from '@astroresearch/core';
import { memo, type ReactNode } from 'react';
import { AnswerRow } from './answer-row.tsx';
import { NoticeRow } from './notice-row.tsx';
import { ThoughtRow } from './thought-row.tsx';
import { ToolRow } from './tool-row.tsx';
import { ErrorRow, TurnEndRow, UserRow } from './turn-rows.tsx';

export function TimelineRows({ items }: { readonly items: Timeline['items'] }): ReactNode {
  return items.chunks.map((chunk, position) => {
    const start = ChunkedList.startOf(position);
    return <Chunk key={start} items={chunk} start={start} />;
  });
}

const Chunk = memo(function Chunk({
  items,
  start,
}: {
  readonly items: readonly TimelineItem[];
  readonly start: number;
}): ReactNode {
  // An item's number in the session never changes.
  return <div className="chunk">{items.map((item, place) => row(item, start + place))}</div>;
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
