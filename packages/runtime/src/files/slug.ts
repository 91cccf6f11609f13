/** Names that are safe as a file name on every system and readable in a prompt. */

/** Lower case, so that no two names differ by case alone; Chinese and other scripts without case are welcome. */
const SLUG = /^[\p{Ll}\p{Lo}\p{Mn}\p{Mc}\p{Nd}]+(?:[-_][\p{Ll}\p{Lo}\p{Mn}\p{Mc}\p{Nd}]+)*$/u;
/** In UTF-8, so that the name with its ending fits into the 255 bytes that file systems allow. */
const MAX_SLUG_BYTES = 120;

export function isSlug(name: string): boolean {
  return SLUG.test(name) && name === name.normalize('NFC') && Buffer.byteLength(name) <= MAX_SLUG_BYTES;
}
