/** Which parts a message has, beside the text that its row holds: so that no text is stored twice. */
import type { Message, Part, ToolCallPart } from '@astroresearch/core';
import { isReadable } from './readable-text.ts';

/** In order: a length in UTF-16 units of `content` (`t`) or `thought` (`r`, with signature), or the next call (`c`). */
type Piece =
  | readonly ['t', number]
  | readonly ['r', number]
  | readonly ['r', number, string]
  | readonly ['c'];

/** `exact`: the parts themselves, where the columns cannot give them back. */
type Layout = { readonly pieces: readonly Piece[] } | { readonly exact: Message['parts'] };

/** The texts of a message's parts, each kind joined; null where there is no part of that kind. */
export type PartTexts = {
  readonly content: string | null;
  readonly thought: string | null;
  readonly calls: readonly ToolCallPart[];
};

export function textsOf(parts: readonly Part[]): PartTexts {
  let content: string | null = null;
  let thought: string | null = null;
  const calls: ToolCallPart[] = [];
  for (const part of parts) {
    if (part.type === 'tool-call') calls.push(part);
    else if (part.type === 'reasoning') thought = (thought ?? '') + part.text;
    else content = (content ?? '') + part.text;
  }
  return { content, thought, calls };
}

/** JSON, or null for the usual shape: one reasoning without signature, one text, then calls; each may be missing. */
export function writeLayout(parts: readonly Part[], texts: PartTexts): string | null {
  if (!parts.every(isKnown) || !isReadable(texts.content ?? '') || !isReadable(texts.thought ?? '')) {
    return JSON.stringify({ exact: parts });
  }
  const pieces = JSON.stringify(parts.map(pieceOf));
  return pieces === JSON.stringify(usualPieces(texts)) ? null : `{"pieces":${pieces}}`;
}

/** The parts of which `texts` and `layout` were made. */
export function readLayout(layout: string | null, texts: PartTexts): readonly Part[] {
  const read: Layout = layout === null ? { pieces: usualPieces(texts) } : JSON.parse(layout);
  if ('exact' in read) return read.exact;
  const nextText = sliceInTurn(texts.content ?? '');
  const nextThought = sliceInTurn(texts.thought ?? '');
  const calls = texts.calls.values();
  return read.pieces.map(([kind, length, signature]): Part => {
    switch (kind) {
      case 't':
        return { type: 'text', text: nextText(length) };
      case 'r': {
        const part = { type: 'reasoning', text: nextThought(length) } as const;
        return signature === undefined ? part : { ...part, signature };
      }
      case 'c':
        return calls.next().value as ToolCallPart;
      default:
        return kind satisfies never;
    }
  });
}

function sliceInTurn(text: string): (length: number) => string {
  let at = 0;
  return (length) => {
    at += length;
    return text.slice(at - length, at);
  };
}

function usualPieces({ content, thought, calls }: PartTexts): readonly Piece[] {
  return [
    ...(thought === null ? [] : [['r', thought.length] as const]),
    ...(content === null ? [] : [['t', content.length] as const]),
    ...calls.map(() => ['c'] as const),
  ];
}

function pieceOf(part: Part): Piece {
  switch (part.type) {
    case 'text':
    case 'tool-result':
      return ['t', part.text.length];
    case 'reasoning':
      return part.signature === undefined ? ['r', part.text.length] : ['r', part.text.length, part.signature];
    case 'tool-call':
      return ['c'];
    default:
      return part satisfies never;
  }
}

/** A part with anything more than the columns and pieces hold is kept exactly. */
function isKnown(part: Part): boolean {
  const fields = Object.keys(part).length;
  switch (part.type) {
    case 'text':
      return fields === 2;
    case 'reasoning':
      return fields === (part.signature === undefined ? 2 : 3);
    case 'tool-call':
      return fields === 4;
    case 'tool-result':
      return false;
    default:
      return part satisfies never;
  }
}
