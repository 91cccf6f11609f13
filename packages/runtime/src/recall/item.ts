/** A piece of an original with what a reader must know of its message. */
import type { Message } from '@astroresearch/core';
import { countCharacters } from '../tools/output.ts';
import { type OriginalPage, toolNameOf } from './original.ts';
import type { RecalledItem } from './recall-types.ts';

/** `offset`: where in the original the page begins, characters. */
export function itemOf(message: Message, page: OriginalPage, offset: number): RecalledItem {
  const name = toolNameOf(message);
  const kind = message.role === 'user' ? message.kind : undefined;
  const end = offset + countCharacters(page.text);
  return {
    ref: message.id,
    role: message.role,
    ...(name === undefined ? {} : { name }),
    ...(kind === undefined ? {} : { kind }),
    text: page.text,
    offset,
    nextOffset: end < page.totalChars ? end : null,
    totalChars: page.totalChars,
    ...(page.fault === undefined ? {} : { fault: page.fault }),
  };
}
