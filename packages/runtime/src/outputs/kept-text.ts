/** How much of an output is kept, under which name, and how a page of it is cut: the same for every output store. */
import { createHash } from 'node:crypto';
import { countCharacters, offsetOf } from '../tools/output.ts';
import { MAX_KEPT_OUTPUT_BYTES, type OutputPage, type SavedOutput } from './output-store.ts';

export type KeptText = SavedOutput & { readonly bytes: Buffer };

/** The text, or as much of its head as fits into the limit with a last line that says what is missing. */
export function keptText(text: string): KeptText {
  const whole = Buffer.from(text, 'utf8');
  if (whole.length <= MAX_KEPT_OUTPUT_BYTES) return named(whole, 0);
  let end = MAX_KEPT_OUTPUT_BYTES;
  while (isContinuation(whole[end])) end -= 1;
  const head = whole.subarray(0, end).toString('utf8');
  const lostChars = countCharacters(text) - countCharacters(head);
  const note = `\n[… 输出超过上限，其余 ${lostChars} 个字符未保存 / the output was over the limit; the other ${lostChars} characters were not kept …]\n`;
  return named(Buffer.from(`${head}${note}`, 'utf8'), lostChars);
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function pageOf(bytes: Uint8Array, offsetChars: number, limitChars: number): OutputPage {
  const text = Buffer.from(bytes).toString('utf8');
  const from = offsetOf(text, Math.max(0, offsetChars));
  const rest = text.slice(from);
  return {
    kind: 'page',
    text: rest.slice(0, offsetOf(rest, Math.max(0, limitChars))),
    totalChars: countCharacters(text),
  };
}

function named(bytes: Buffer, lostChars: number): KeptText {
  return { bytes, sha256: sha256Of(bytes), chars: countCharacters(bytes.toString('utf8')), lostChars };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
