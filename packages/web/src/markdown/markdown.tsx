/** An answer as formatted text, with mathematics. Untrusted: no HTML, no images, no script (reliability.md T9, T10). */
import { memo, type ReactNode, useMemo } from 'react';
import ReactMarkdown, { type Components, type ExtraProps, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import { useTexts } from '../services.ts';
import type { Texts } from '../texts.ts';
import { AnswerLink } from './answer-link.tsx';
import { Formula } from './formula.tsx';
import { linkCitations } from './link-citations.ts';
import { normaliseMath } from './math-delimiters.ts';
import { safeAddress } from './safe-address.ts';
import { splitBlocks } from './split-blocks.ts';

// "~3 kpc … ~5 kpc" is two rough numbers, not text struck out.
const REMARK: Options['remarkPlugins'] = [[remarkGfm, { singleTilde: false }], remarkMath];
const REHYPE: Options['rehypePlugins'] = [linkCitations];

/** What scrolls sideways must be reachable by keyboard. */
const REACHABLE = { tabIndex: 0 };

export function Markdown({ text }: { readonly text: string }): ReactNode {
  const texts = useTexts();
  const components = useMemo(() => componentsIn(texts), [texts]);
  let start = 0;
  return splitBlocks(normaliseMath(text)).map((block) => {
    // Where a block begins is its name: text only grows at the end.
    const key = start;
    start += block.length + 1;
    return <Block key={key} text={block} components={components} />;
  });
}

const Block = memo(function Block({
  text,
  components,
}: {
  readonly text: string;
  readonly components: Components;
}): ReactNode {
  return (
    <ReactMarkdown
      remarkPlugins={REMARK}
      rehypePlugins={REHYPE}
      urlTransform={safeAddress}
      components={components}
    >
      {text}
    </ReactMarkdown>
  );
});

function componentsIn(texts: Texts): Components {
  return {
    a: ({ href, children }) => <AnswerLink href={href ?? ''}>{children}</AnswerLink>,
    img: ({ src, alt }) => {
      const label = alt === undefined || alt === '' ? texts.image : texts.imageLink(alt);
      return <AnswerLink href={typeof src === 'string' ? src : ''}>{label}</AnswerLink>;
    },
    table: ({ children }) => (
      <section className="prose-table" aria-label={texts.table} {...REACHABLE}>
        <table>{children}</table>
      </section>
    ),
    // Formulas come as code of the language `math`.
    code: ({ className = '', children }) =>
      MATH.test(className) ? (
        <Formula tex={String(children)} display={className.includes('math-display')} />
      ) : (
        <code className={className}>{children}</code>
      ),
    pre: ({ node, children }) =>
      isFormula(node) ? (
        children
      ) : (
        <section className="prose-code" aria-label={texts.code} {...REACHABLE}>
          <pre>{children}</pre>
        </section>
      ),
  };
}

const MATH = /\bmath-(inline|display)\b/;

function isFormula(pre: ExtraProps['node']): boolean {
  const code = pre?.children[0];
  return code?.type === 'element' && MATH.test(String(code.properties.className));
}
