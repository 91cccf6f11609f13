/** Changes from stored messages to view, as data (context.md 1). An edit is stored before the request that uses it. */
import type { Message, MessageId } from '../message/message.ts';

export type ContextEdit =
  /** The message keeps its place; a tool result's text becomes `text`. */
  | { readonly kind: 'mask'; readonly message: MessageId; readonly text: string }
  /** Messages `from` to `to`, both included, leave the view; `replacement` stands in their place. */
  | {
      readonly kind: 'replace';
      readonly from: MessageId;
      readonly to: MessageId;
      readonly replacement: Message;
    };
