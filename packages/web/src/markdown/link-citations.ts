/** Rehype plugin: papers named in the text of an answer become links. Code, formulas and links stay untouched. */
import { findCitations, type TextPiece } from './citations.ts';

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
    return bare(findCitations(child.value ?? '')).map(({ text, citation }): Node => {
      const written: Node = { type: 'text', value: text };
      if (citation === null) return written;
      return { type: 'element', tagName: 'a', properties: { href: citation.href }, children: [written] };
    });
  });
}

/** `[2022Sci...378..538I]`: a chip needs no brackets around it. */
function bare(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const alone = (place: number) =>
    pieces[place]?.citation != null &&
    pieces[place - 1]?.text.endsWith('[') === true &&
    pieces[place + 1]?.text.startsWith(']') === true;
  return pieces.map((piece, place) => {
    if (piece.citation !== null) return piece;
    const from = alone(place - 1) ? 1 : 0;
    const to = alone(place + 1) ? piece.text.length - 1 : piece.text.length;
    return { ...piece, text: piece.text.slice(from, to) };
  });
}
