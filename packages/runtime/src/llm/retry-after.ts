/** How long a provider asks us to wait, from its headers (recovery.md, Backoff). */

/** `retry-after-ms` wins over `retry-after` in seconds or as an HTTP date; null: nothing that can be understood. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const precise = delayOf(headers.get('retry-after-ms'), 1);
  if (precise !== null) return precise;
  const header = headers.get('retry-after');
  const seconds = delayOf(header, 1000);
  if (seconds !== null || header === null) return seconds;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

function delayOf(text: string | null, unitMs: number): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Math.round(Number(text) * unitMs) : null;
}
