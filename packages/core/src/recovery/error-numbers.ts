/** Numbers that a refusal names: window, what was asked for, output limit, how long to wait (reliability.md 4.2, rule 5). */

export type ErrorNumbers = {
  readonly windowTokens?: number;
  /** Input, or input and output, as the provider counted. */
  readonly requestedTokens?: number;
  readonly outputLimitTokens?: number;
  readonly retryAfterMs?: number;
};

const N = String.raw`([\d,]+)`;
const WINDOW = [
  `maximum (?:context|prompt) length is ${N}`,
  `> ${N} maximum`,
  `maximum number of tokens allowed \\(?${N}`,
  `input length should be \\[\\d+, ${N}\\]`,
  `context length of only ${N}`,
  `n_ctx \\(?${N}`,
  `available context size \\(${N}`,
  `exceed context limit: [\\d,]+ \\+ [\\d,]+ > ${N}`,
  `tokens limit exceeded: [\\d,]+ > ${N}`,
  `Limit:? ${N}, Requested`,
];
const REQUESTED = [
  `requested (?:about )?${N} tokens`,
  `Requested:? ${N}`,
  `(?:too long|limit exceeded): ${N}`,
  `input token count \\(?${N}`,
  `request contains ${N}`,
  `request \\(${N} tokens`,
  `keep the first ${N} tokens`,
  `n_keep \\(${N}`,
  `prompt contains at least ${N}`,
  `exceed context limit: ${N}`,
];
const OUTPUT_LIMIT = [
  `supports at most ${N} completion`,
  `> ${N}, which is the maximum allowed number of output`,
  `max_(?:completion_|output_)?tokens (?:should be|is) \\[\\d+, ${N}\\]`,
  `less than or equal to ${N}`,
  `expected a value <= ${N}`,
];

/** `fields`: numbers that stood in fields of their own. */
export function readNumbers(
  message: string,
  fields: ReadonlyMap<string, number>,
): Omit<ErrorNumbers, 'retryAfterMs'> {
  const windowTokens = fields.get('n_ctx') ?? first(message, WINDOW);
  const requestedTokens = fields.get('n_prompt_tokens') ?? first(message, REQUESTED);
  const outputLimitTokens = first(message, OUTPUT_LIMIT);
  return {
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(requestedTokens === undefined ? {} : { requestedTokens }),
    ...(outputLimitTokens === undefined ? {} : { outputLimitTokens }),
  };
}

function first(text: string, patterns: readonly string[]): number | undefined {
  for (const pattern of patterns) {
    const found = new RegExp(pattern, 'i').exec(text)?.[1];
    if (found !== undefined) return Number(found.replaceAll(',', ''));
  }
  return undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `try again in 6ms`, `retry after 20 seconds`, `reset after 19h14m47s`; null: the text names no delay. */
export function delayInText(text: string): number | null {
  const said =
    /(?:try again (?:in|after)|retry (?:in|after)|reset (?:in|after))\s+((?:[\d.]+\s*[a-z]+\s*)+)/i.exec(
      text,
    )?.[1];
  if (said === undefined) return null;
  let ms = 0;
  for (const [, amount, word] of said.matchAll(
    /([\d.]+)\s*(ms|millisecond|s(?:ec)?|second|m(?:in)?|minute|h(?:our)?|d(?:ay)?)s?(?![a-z])/gi,
  )) {
    const unit = /^(?:ms|milli)/i.test(word ?? '') ? 'ms' : (word?.[0] ?? '').toLowerCase();
    ms += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return ms === 0 ? null : Math.round(ms);
}

/** `retry-after-ms` wins over `retry-after` in seconds or as an HTTP date; null: nothing that can be understood. */
export function delayInHeaders(headers: ReadonlyMap<string, string>, nowMs: number): number | null {
  const precise = numberIn(headers.get('retry-after-ms'));
  if (precise !== null) return Math.round(precise);
  const header = headers.get('retry-after');
  const seconds = numberIn(header);
  if (seconds !== null) return Math.round(seconds * 1_000);
  const dateMs = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
