/** The model's text: formatted as it streams, plain until the formatter has loaded. */
import type { AnswerItem } from '@astroresearch/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useServices, useTexts } from '../services.ts';
import { Icon } from './icon.tsx';

/** Markdown and KaTeX weigh more than the rest of the page: they come on their own. */
export const loadMarkdown = () => import('../markdown/markdown.tsx');
const Markdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }));

export function AnswerRow({ item }: { readonly item: AnswerItem }): ReactNode {
  const texts = useTexts();
  if (item.state === 'discarded' || item.text.trim() === '') return null;
  const streaming = item.state === 'streaming';
  return (
    <div className={item.interim ? 'row rail row-aside' : 'row row-answer'} data-streaming={streaming}>
      <div className="prose">
        <Suspense fallback={<p className="prose-plain">{item.text}</p>}>
          <Markdown text={item.text} />
        </Suspense>
      </div>
      {item.ending === 'length' ? <p className="row-remark">{texts.cutOff}</p> : null}
      {item.ending === 'cancelled' ? <p className="row-remark">{texts.stoppedHere}</p> : null}
      {streaming || item.interim ? null : <CopyButton text={item.text} />}
    </div>
  );
}

function CopyButton({ text }: { readonly text: string }): ReactNode {
  const texts = useTexts();
  const { copyText } = useServices();
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="quiet-button"
      onClick={() => copyText(text).then(() => setCopied(true))}
      onBlur={() => setCopied(false)}
    >
      <Icon name={copied ? 'check' : 'copy'} />
      {copied ? texts.copied : texts.copy}
    </button>
  );
}
