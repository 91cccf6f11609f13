/** What of a message the search over all sessions sees: what persons and answers said, not what tools and we put in. */
import { type Message, textOf } from '@astroresearch/core';
import { readable } from './readable-text.ts';

/** Null: nothing. Migration 4 says the same in SQL. */
export function searchedText(message: Message): string | null {
  switch (message.role) {
    case 'user':
      return message.kind === undefined ? readable(textOf(message)) : null;
    case 'assistant':
      return readable(textOf(message));
    case 'system':
    case 'tool':
      return null;
    default:
      return message satisfies never;
  }
}
