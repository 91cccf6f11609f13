/** Rehype plugin: papers named in the text of an answer become links. Code, formulas and links stay untouched. */
import { findCitations } from './citations.ts';

/** As much of a hast node as is looked at. */
type Node = {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
};

const UNTOUCHED = new Set(['a', 'code', 'pre']);

export function linkCitations(): (tree: Node) => void {
  return (tree) => linkIn(tree);
}

function linkIn(node: Node): void {
  if (node.children === undefined || (node.tagName !== undefined && UNTOUCHED.has(node.tagName))) return;
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') {
      linkIn(child);
      return [child];
    }
    return findCitations(child.value ?? '').map(({ text, citation }): Node => {
      const written: Node = { type: 'text', value: text };
      if (citation === null) return written;
      return { type: 'element', tagName: 'a', properties: { href: citation.href }, children: [written] };
    });
  });
}
