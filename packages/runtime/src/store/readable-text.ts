/** Text that every SQL store and client can hold: valid Unicode without NUL. */

export function isReadable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** A–Z become a–z, as SQL compares; nothing else changes. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** `text` itself, or a copy with each lone surrogate and NUL shown as U+FFFD. */
export function readable(text: string): string {
  return isReadable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD');
}
