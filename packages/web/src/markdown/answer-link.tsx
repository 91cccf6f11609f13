/** A link in an answer: a paper's record as a chip, anything else with its host in plain sight (reliability.md T9). */
import type { ReactNode } from 'react';
import { Icon } from '../parts/icon.tsx';
import { citationKindOf } from './citations.ts';
import { hostOf } from './safe-address.ts';

export function AnswerLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  // Footnotes point inside the page, whose fragment names the session: they stay text.
  if (href === '' || href.startsWith('#')) return <span className="prose-nolink">{children}</span>;
  const isCitation = citationKindOf(href) !== null;
  const host = hostOf(href);
  const saysHost = typeof children === 'string' && host !== '' && children.includes(host);
  return (
    <a
      className={isCitation ? 'citation' : undefined}
      href={href}
      title={href}
      target="_blank"
      rel="noopener noreferrer"
    >
      {isCitation ? <Icon name="paper" /> : null}
      {children}
      {isCitation || saysHost || host === '' ? null : <span className="prose-host"> ({host})</span>}
    </a>
  );
}
