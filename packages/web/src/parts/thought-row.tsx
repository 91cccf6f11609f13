/** The model's thinking, folded: there for who wants to see it. */
import type { ThoughtItem } from '@astroresearch/core';
import type { ReactNode } from 'react';
import { useTexts } from '../services.ts';
import { Icon } from './icon.tsx';

const GLANCE_CHARS = 160;

export function ThoughtRow({ item }: { readonly item: ThoughtItem }): ReactNode {
  const texts = useTexts();
  if (item.state === 'discarded' || item.text.trim() === '') return null;
  const streaming = item.state === 'streaming';
  return (
    <details className="row rail fold thought" data-streaming={streaming}>
      <summary>
        <span className="rail-node">
          <Icon name="thought" />
        </span>
        <span className="thought-label">{streaming ? texts.thinking : texts.thought}</span>
        <span className="thought-glance">{glanceAt(item.text, streaming)}</span>
        <Icon name="chevron" />
      </summary>
      <div className="fold-body">
        <p className="thought-text">{item.text}</p>
      </div>
    </details>
  );
}

/** The newest words while it streams, the first ones afterwards. */
function glanceAt(text: string, streaming: boolean): string {
  const line = (streaming ? text.slice(-GLANCE_CHARS) : text.slice(0, GLANCE_CHARS))
    .replace(/\s+/g, ' ')
    .trim();
  if (!streaming) return line;
  const sentence = Math.max(line.lastIndexOf('. '), line.lastIndexOf('。'));
  return sentence === -1 ? line : line.slice(sentence + 1).trim();
}
