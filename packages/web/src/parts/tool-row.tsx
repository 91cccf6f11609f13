/** A tool call and its result: one line, which opens to arguments and output. */
import type { ToolItem } from '@astroresearch/core';
import type { ReactNode } from 'react';
import { formatDuration } from '../format.ts';
import { useTexts } from '../services.ts';
import { Icon } from './icon.tsx';
import { prettyArguments, shortArguments, toolIcon } from './tool-summary.ts';

/** What scrolls must be reachable by keyboard. */
const REACHABLE = { tabIndex: 0 };

export function ToolRow({ item }: { readonly item: ToolItem }): ReactNode {
  const texts = useTexts();
  const { status, preview } = item;
  return (
    <details className="row rail fold tool" data-status={status}>
      <summary>
        <span className="rail-node">
          <Icon name={toolIcon(item.name)} />
        </span>
        <span className="tool-name">{item.name}</span>
        <span className="tool-arguments">{shortArguments(item.arguments)}</span>
        <span className="chip" data-status={status}>
          {texts.toolStatus[status]}
        </span>
        <span className="tool-elapsed">
          {item.elapsedMs === null ? '' : formatDuration(item.elapsedMs, texts)}
        </span>
        <Icon name="chevron" />
      </summary>
      <div className="fold-body">
        <h3>{texts.arguments}</h3>
        <pre {...REACHABLE}>{prettyArguments(item.arguments)}</pre>
        <h3>
          {texts.result}
          {item.ref === null ? null : <code>{item.ref}</code>}
        </h3>
        {preview === null ? <p>{texts.noResult}</p> : <pre {...REACHABLE}>{preview}</pre>}
        {item.truncated ? <p>{texts.resultCut}</p> : null}
      </div>
    </details>
  );
}
