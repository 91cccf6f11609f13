/** Cuts Markdown where a cut cannot change its meaning, so that a streaming answer renders its last piece only. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Footnotes and link definitions reach over the whole text. */
const REACHING = /^ {0,3}\[[^\]]+\]:/m;
/** A line that may belong to what stands before the blank line above it. */
const CONTINUES = /^(\s|[-*+>|]|\d{1,9}[.)]|$)/;

/**
 * Pieces that render one by one as they would together. Text that grows at its end keeps its earlier pieces: only the
 * last one changes (until a link definition or footnote arrives, which makes it one piece).
 */
export function splitBlocks(text: string): readonly string[] {
  if (REACHING.test(text)) return [text];
  const blocks: string[] = [];
  let current: string[] = [];
  let fence: string | null = null;
  let inMath = false;
  let afterBlank = false;
  for (const line of text.split('\n')) {
    const open = fence === null && !inMath;
    if (open && afterBlank && !CONTINUES.test(line) && current.some((one) => one.trim() !== '')) {
      blocks.push(current.join('\n'));
      current = [];
    }
    current.push(line);
    afterBlank = line.trim() === '';
    const mark: string | undefined = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (!inMath && mark !== undefined) {
      fence = mark;
    } else if (line.trim().startsWith('$$')) {
      // `$$ … $$` on one line opens and closes.
      const marks = line.split('$$').length - 1;
      if (marks % 2 === 1) inMath = !inMath;
    } else if (inMath && line.trim().endsWith('$$')) {
      inMath = false;
    }
  }
  blocks.push(current.join('\n'));
  return blocks;
}
