/** Takes known secrets out of what leaves the process (reliability.md I16). */

/** Shorter ones stand in ordinary words: taking those out would garble the text and hide nothing. */
const MIN_SECRET_CHARS = 8;
const REDACTED = '[redacted]';

export type Redact = <T>(value: T) => T;

/** A copy of a JSON value in which no text and no key holds any of `secrets`. */
export function redactor(secrets: readonly string[]): Redact {
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS);
  // A secret may contain another: the longest first.
  known.sort((a, b) => b.length - a.length);
  if (known.length === 0) return (value) => value;
  const cleanText = (text: string) => known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), clean(member)]));
  };
  return <T>(value: T) => clean(value) as T;
}
