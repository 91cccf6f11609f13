/** Which counter serves a model (context.md 3): a real tokenizer where its family's is shipped, else the estimator. */
import { estimateTokens, type TokenCounter, type TokenizerFamily } from '@astroresearch/core';

/** Models that the table does not know, and that use the o200k vocabulary. */
const O200K_MODELS = /(?:^|\/)(?:gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|chatgpt-4o|o1|o3|o4)(?:[-.:]|$)/i;

/** Characters that are handed to the tokenizer at once: long runs of one character cost it the square of their length. */
const PIECE_CHARS = 1_000;
/** A piece ends at a blank, where one is so near its end. */
const SEEK_CHARS = 120;

/** `family`: by the table; null: the name decides. Loading takes some 200 ms, once. */
export async function tokenCounterFor(
  model: string | null,
  family: TokenizerFamily | null = null,
): Promise<TokenCounter> {
  const isO200k = family === null ? model !== null && O200K_MODELS.test(model) : family === 'o200k';
  return isO200k ? loadO200k() : estimateTokens;
}

/** Exact up to what a cut between two pieces changes: less than one token in 1 000 characters. */
export async function loadO200k(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that looks like a control token is text: it comes from people and tools.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let tokens = 0;
    for (const piece of pieces(text)) tokens += countTokens(piece, options);
    return tokens;
  };
}

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_CHARS, text.length);
    if (end < text.length) {
      const blank = text.lastIndexOf(' ', end);
      if (blank > end - SEEK_CHARS) end = blank;
      else if (/[\uDC00-\uDFFF]/.test(text.charAt(end))) end -= 1;
    }
    yield text.slice(start, end);
    start = end;
  }
}
