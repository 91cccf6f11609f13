/** Text that every SQL store and client can hold: valid Unicode without NUL. */

export function isReadable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** `text` itself, or a copy with each lone surrogate and NUL shown as U+FFFD. */
export function readable(text: string): string {
  return isReadable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
}
