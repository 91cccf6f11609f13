/** Long arguments of old calls, shortened as valid JSON (context.md 5): a provider refuses anything else. */

const LONG_ARGUMENTS_CHARS = 1_000;
/** What remains of each long string. */
const KEPT_CHARS = 200;

/** The arguments themselves where they are short, no JSON, or no shorter afterwards. */
export function shortenArguments(text: string): string {
  if (text.length <= LONG_ARGUMENTS_CHARS) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const shortened = JSON.stringify(shorten(value));
  return shortened.length < text.length ? shortened : text;
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return shortenText(value);
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]));
  }
  return value;
}

function shortenText(text: string): string {
  if (text.length <= KEPT_CHARS) return text;
  const head = text.slice(0, KEPT_CHARS).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}… (${text.length - head.length} characters left out)`;
}
