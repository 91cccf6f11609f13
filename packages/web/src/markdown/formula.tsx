/** A formula, drawn by KaTeX into its own element. */
import 'katex/dist/katex.min.css';
import katex from 'katex';
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';

/**
 * Built from elements, not from HTML text: so the content security policy sees no style attributes, and nothing that a
 * model writes is ever parsed as HTML. A formula with a fault shows its source.
 */
export const Formula = memo(function Formula({
  tex,
  display,
}: {
  readonly tex: string;
  readonly display: boolean;
}): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current === null) return;
    katex.render(tex, place.current, {
      displayMode: display,
      throwOnError: false,
      errorColor: 'currentColor',
      trust: false,
      strict: false,
      maxExpand: 500,
      maxSize: 20,
    });
  }, [tex, display]);
  return <span ref={place} className={display ? 'formula-display' : 'formula'} />;
});
