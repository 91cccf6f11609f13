/** Size of a text when nobody told us: by classes of script (context.md 3). No message is counted twice. */
import type { Message, Part } from '../message/message.ts';

/** How many tokens a text has. Injected, so that a real tokenizer can take the estimator's place. */
export type TokenCounter = (text: string) => number;

/** Role, separators and ids around each message, tokens. */
const MESSAGE_OVERHEAD_TOKENS = 4;
const CALL_OVERHEAD_TOKENS = 6;

/** Tokens of one code point of each class; letters and digits are counted by run. Fitted to o200k (docs/context/tokens.md). */
const HAN_TOKENS = 0.9;
const KANA_TOKENS = 0.6;
const HANGUL_TOKENS = 0.7;
const OTHER_SCRIPT_TOKENS = 0.45;
const EMOJI_TOKENS = 2;
const SYMBOL_TOKENS = 0.55;
/** A symbol behind another: the two often share a token. */
const NEXT_SYMBOL_TOKENS = 0.5;
const SPACE_TOKENS = 0.08;
const LINE_END_TOKENS = 0.7;
const CONTROL_TOKENS = 0.3;

/** A word of so many letters is one token; longer ones take a token for each four letters more. */
const WORD_LETTERS = 8;
const LETTERS_A_TOKEN = 4;
const DIGITS_A_TOKEN = 3;
/** Letters and digits mixed without a break for so long are no words: base64, hashes, keys. */
const OPAQUE_CHARS = 40;
const OPAQUE_TOKENS = 0.65;

/**
 * An estimate of `text` in tokens of a current vocabulary (o200k), in one pass: words, numbers and symbols by run,
 * CJK and the rest a code point at a time. A capital behind a small letter begins a word.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  /** Of the unbroken run of letters and digits: its length, and what it has cost so far. */
  let runChars = 0;
  let runTokens = 0;
  let runDigits = 0;
  let afterSmall = false;
  let afterSymbol = false;
  const closeWord = () => {
    if (letters > 0)
      runTokens += letters <= WORD_LETTERS ? 1 : 1 + (letters - WORD_LETTERS) / LETTERS_A_TOKEN;
    if (digits > 0) runTokens += Math.ceil(digits / DIGITS_A_TOKEN);
    letters = 0;
    digits = 0;
  };
  const closeRun = () => {
    closeWord();
    const isOpaque = runChars >= OPAQUE_CHARS && runDigits > 0;
    tokens += isOpaque ? Math.max(runTokens, runChars * OPAQUE_TOKENS) : runTokens;
    runChars = 0;
    runTokens = 0;
    runDigits = 0;
    afterSmall = false;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isCapital = code >= 65 && code <= 90;
    if (isCapital || (code >= 97 && code <= 122)) {
      if (digits > 0 || (isCapital && afterSmall)) closeWord();
      letters++;
      runChars++;
      afterSmall = !isCapital;
      afterSymbol = false;
    } else if (code >= 48 && code <= 57) {
      if (letters > 0) closeWord();
      digits++;
      runDigits++;
      runChars++;
      afterSmall = false;
      afterSymbol = false;
    } else {
      closeRun();
      tokens += code < 128 ? asciiTokens(code, afterSymbol) : wideTokens(code);
      afterSymbol = code > 32 && code < 128;
      if (code >= 0xd800 && code <= 0xdbff) index++;
    }
  }
  closeRun();
  return Math.ceil(tokens);
}

function asciiTokens(code: number, afterSymbol: boolean): number {
  if (code === 32) return SPACE_TOKENS;
  if (code === 10) return LINE_END_TOKENS;
  if (code < 32) return CONTROL_TOKENS;
  return afterSymbol ? NEXT_SYMBOL_TOKENS : SYMBOL_TOKENS;
}

function wideTokens(code: number): number {
  if (code >= 0xd800 && code <= 0xdbff) return EMOJI_TOKENS;
  if (code >= 0x3040 && code <= 0x30ff) return KANA_TOKENS;
  if (code >= 0xac00 && code <= 0xd7a3) return HANGUL_TOKENS;
  if ((code >= 0x2e80 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xffef)) return HAN_TOKENS;
  return OTHER_SCRIPT_TOKENS;
}

/** What a message weighs in a request: its overhead and its parts, arguments and reasoning included. */
export function countMessage(parts: Message['parts'], count: TokenCounter): number {
  let tokens = MESSAGE_OVERHEAD_TOKENS;
  for (const part of parts as readonly Part[]) {
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'tool-result':
        tokens += count(part.text);
        break;
      case 'tool-call':
        tokens += CALL_OVERHEAD_TOKENS + count(part.name) + count(part.arguments);
        break;
      default:
        part satisfies never;
    }
  }
  return tokens;
}
