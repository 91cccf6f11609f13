/** Fits a tool's output into its limit: head and tail stay, a marker says what is missing and how to get it (runtime.md). */
import type { Language } from '@astroresearch/core';

export type FittedOutput = {
  readonly text: string;
  readonly truncated: boolean;
  readonly leftOutChars: number;
};

/** Longest cluster that is kept whole, UTF-16 units; longer ones are cut between code points. */
const CLUSTER_WINDOW = 64;
const CLUSTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Characters are code points. A text over `limitChars` becomes head, marker and tail, together no longer than the
 * limit as long as the marker alone is not. No surrogate pair is split, nor a letter from its accents where the
 * cluster is of ordinary length. `ref`: the name by which the whole output can be recalled.
 */
export function fitOutput(text: string, limitChars: number, ref: string, language: Language): FittedOutput {
  if (text.length <= limitChars) return { text, truncated: false, leftOutChars: 0 };
  const totalChars = countCharacters(text);
  if (totalChars <= limitChars) return { text, truncated: false, leftOutChars: 0 };
  const marker = (leftOutChars: number, offset: number) => markerText(leftOutChars, offset, ref, language);
  const keptChars = Math.max(0, limitChars - countCharacters(marker(totalChars, totalChars)));
  const headChars = Math.ceil(keptChars / 2);
  const head = text.slice(0, clusterStart(text, offsetOf(text, headChars)));
  const tail = text.slice(clusterEnd(text, offsetFromEnd(text, keptChars - headChars)));
  const shownHeadChars = countCharacters(head);
  const leftOutChars = totalChars - shownHeadChars - countCharacters(tail);
  return {
    text: `${head}${marker(leftOutChars, shownHeadChars)}${tail}`,
    truncated: true,
    leftOutChars,
  };
}

function markerText(leftOutChars: number, offset: number, ref: string, language: Language): string {
  const recall = `recall_context {"ref":"${ref}","offset":${offset}}`;
  const text = {
    zh: `[… 此处省略 ${leftOutChars} 个字符，结果不完整。全文保存为 ${ref}：用 ${recall} 分页读取，或缩小请求范围 …]`,
    en: `[… ${leftOutChars} characters left out here; this is not the whole output. It is kept as ${ref}: read on with ${recall}, or ask for less …]`,
  }[language];
  return `\n${text}\n`;
}

/** Code points; a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) pairs += 1;
  }
  return text.length - pairs;
}

/** The UTF-16 offset behind the first `characters` code points. */
export function offsetOf(text: string, characters: number): number {
  let offset = 0;
  for (let count = 0; count < characters && offset < text.length; count++) {
    offset += isHigh(text.charCodeAt(offset)) && isLow(text.charCodeAt(offset + 1)) ? 2 : 1;
  }
  return offset;
}

function offsetFromEnd(text: string, characters: number): number {
  let offset = text.length;
  for (let count = 0; count < characters && offset > 0; count++) {
    offset -= isLow(text.charCodeAt(offset - 1)) && isHigh(text.charCodeAt(offset - 2)) ? 2 : 1;
  }
  return offset;
}

function clusterStart(text: string, offset: number): number {
  return clusterAround(text, offset)?.start ?? offset;
}

function clusterEnd(text: string, offset: number): number {
  return clusterAround(text, offset)?.end ?? offset;
}

/** The cluster that `offset` would cut in two; null where it would cut none, or one too long to care for. */
function clusterAround(
  text: string,
  offset: number,
): { readonly start: number; readonly end: number } | null {
  const from = wholeOffset(text, Math.max(0, offset - CLUSTER_WINDOW));
  const window = text.slice(from, wholeOffset(text, Math.min(text.length, offset + CLUSTER_WINDOW)));
  const cluster = CLUSTERS.segment(window).containing(offset - from);
  if (cluster === undefined || cluster.index === offset - from) return null;
  const end = cluster.index + cluster.segment.length;
  const reachesEdge =
    (cluster.index === 0 && from > 0) || (end === window.length && from + end < text.length);
  return reachesEdge ? null : { start: from + cluster.index, end: from + end };
}

function wholeOffset(text: string, offset: number): number {
  return isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
