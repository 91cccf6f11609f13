/** What requests cost: tokens sent, the part a provider has cached, and what is billed (quality.md 1). */
import type { Message } from '../message/message.ts';

/** Relative to one uncached input token. */
export type Prices = { readonly input: number; readonly cached: number; readonly output: number };

export const DEFAULT_PRICES: Prices = { input: 1, cached: 0.1, output: 5 };

export type Cost = {
  readonly tokensSent: number;
  /** Of those sent: the longest run of whole messages with which the request before began as well. */
  readonly tokensCached: number;
  readonly summariserInputTokens: number;
  readonly summariserOutputTokens: number;
};

export const NO_COST: Cost = {
  tokensSent: 0,
  tokensCached: 0,
  summariserInputTokens: 0,
  summariserOutputTokens: 0,
};

export function addCost(a: Cost, b: Cost): Cost {
  return {
    tokensSent: a.tokensSent + b.tokensSent,
    tokensCached: a.tokensCached + b.tokensCached,
    summariserInputTokens: a.summariserInputTokens + b.summariserInputTokens,
    summariserOutputTokens: a.summariserOutputTokens + b.summariserOutputTokens,
  };
}

/** In units of one uncached input token. The replies are recorded: the same under every policy, and left out. */
export function billed(cost: Cost, prices: Prices = DEFAULT_PRICES): number {
  const uncached = cost.tokensSent - cost.tokensCached + cost.summariserInputTokens;
  return (
    uncached * prices.input + cost.tokensCached * prices.cached + cost.summariserOutputTokens * prices.output
  );
}

export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + message.tokens, 0);
}

/** Tokens of the messages with which both requests begin, byte for byte. */
export function cachedTokens(before: readonly Message[], now: readonly Message[]): number {
  let tokens = 0;
  for (const [index, message] of now.entries()) {
    const earlier = before[index];
    if (earlier === undefined || !isSameOnTheWire(earlier, message)) break;
    tokens += message.tokens;
  }
  return tokens;
}

function isSameOnTheWire(a: Message, b: Message): boolean {
  if (a === b) return true;
  return a.role === b.role && a.tokens === b.tokens && JSON.stringify(a.parts) === JSON.stringify(b.parts);
}
