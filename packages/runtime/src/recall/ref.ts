/** `m42`, `m4-m31`, `m4-31`: the names by which stored messages are asked for, and how they are written. */
import { type MessageRange, messageId } from '@astroresearch/core';

const REF = /^\[?(?:recall\s+)?m?(\d{1,15})(?:\s*[-–—]\s*m?(\d{1,15}))?\]?$/i;

/** Both ends in order; null where the text names no message. */
export function parseRef(text: string): MessageRange | null {
  const [, first, last = first] = REF.exec(text.trim()) ?? [];
  const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b);
  if (from === undefined || to === undefined || !(from >= 1)) return null;
  return { from: messageId(from), to: messageId(to) };
}

/** As `parseRef` reads it. */
export function writeRef({ from, to }: MessageRange): string {
  return from === to ? from : `${from}-${to}`;
}

/** All that a session can hold. */
export const ALL_MESSAGES: MessageRange = {
  from: messageId(1),
  to: messageId(Number.MAX_SAFE_INTEGER),
};
