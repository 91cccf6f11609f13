/** Size of a text when nobody told us: by classes of script (context.md 3). No message is counted twice. */
import type { Message, Part } from '../message/message.ts';

/** How many tokens a text has. Injected, so that a real tokenizer can take the estimator's place. */
export type TokenCounter = (text: string) => number;

/** Role, separators and ids around each message, tokens. */
const MESSAGE_OVERHEAD_TOKENS = 4;
const CALL_OVERHEAD_TOKENS = 6;

/** Tokens for one code point of each class; words and numbers are counted by run instead. */
const HAN_TOKENS = 0.75;
const KANA_TOKENS = 0.8;
const OTHER_SCRIPT_TOKENS = 0.55;
const SYMBOL_TOKENS = 0.7;
const EMOJI_TOKENS = 2;

/**
 * An estimate of `text` in tokens of a current vocabulary (o200k). Letters are counted a word at a time (a word of
 * up to seven letters is one token, longer ones a token for each four letters more), digits in threes, spaces
 * travel with the word behind them, CJK and the rest a code point at a time.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  const closeRuns = () => {
    if (letters > 0) tokens += letters <= 7 ? 1 : 1 + (letters - 7) / 4;
    if (digits > 0) tokens += Math.ceil(digits / 3);
    letters = 0;
    digits = 0;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      if (digits > 0) closeRuns();
      letters++;
    } else if (code >= 48 && code <= 57) {
      if (letters > 0) closeRuns();
      digits++;
    } else {
      closeRuns();
      tokens += code < 128 ? asciiTokens(code) : wideTokens(code);
      if (code >= 0xd800 && code <= 0xdbff) index++;
    }
  }
  closeRuns();
  return Math.ceil(tokens);
}

function asciiTokens(code: number): number {
  if (code === 32) return 0.04;
  if (code === 10) return 0.5;
  return code < 32 ? 0.3 : SYMBOL_TOKENS;
}

function wideTokens(code: number): number {
  if (code >= 0xd800 && code <= 0xdbff) return EMOJI_TOKENS;
  if (code >= 0x3040 && code <= 0x30ff) return KANA_TOKENS;
  if (code >= 0x2e80 && code <= 0x9fff) return HAN_TOKENS;
  if (code >= 0xf900 && code <= 0xffef) return HAN_TOKENS;
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
