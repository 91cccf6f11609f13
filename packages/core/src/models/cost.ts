/** What calls cost in US dollars, by the prices of the model that answered (api.md, Events: `usage`). */
import type { Usage } from '../tokens/usage.ts';
import type { ModelPrices } from './model-table.ts';

const MILLION = 1_000_000;
/** Decimals that are kept: a token of the cheapest model costs some 10⁻⁹ dollars. */
const DECIMALS = 12;

/** Null: the prices are not known. Cached tokens cost their own price, thoughts that of the answer. */
export function costUsd(usage: Usage, prices: ModelPrices | null): number | null {
  if (prices === null) return null;
  const cached = Math.min(usage.cachedTokens, usage.promptTokens);
  const dollars =
    (usage.promptTokens - cached) * prices.input +
    cached * (prices.cachedInput ?? prices.input) +
    usage.completionTokens * prices.output;
  return rounded(dollars / MILLION);
}

/** Calls so far: what the priced ones cost together, and how many there were of either kind. */
export type Bill = { readonly usd: number; readonly pricedCalls: number; readonly unpricedCalls: number };

export const NO_BILL: Bill = { usd: 0, pricedCalls: 0, unpricedCalls: 0 };

/** `usd` undefined: its price is not known. */
export function addToBill(bill: Bill, usd: number | undefined): Bill {
  return usd === undefined
    ? { ...bill, unpricedCalls: bill.unpricedCalls + 1 }
    : { ...bill, usd: rounded(bill.usd + usd), pricedCalls: bill.pricedCalls + 1 };
}

/** Null where nothing was called, or one call has no known price: a part is never shown as the whole. */
export function totalUsd({ usd, pricedCalls, unpricedCalls }: Bill): number | null {
  return pricedCalls > 0 && unpricedCalls === 0 ? usd : null;
}

function rounded(usd: number): number {
  return Number(usd.toFixed(DECIMALS));
}
