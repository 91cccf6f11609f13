/** Changes from stored messages to view, as data (context.md 1). An edit is stored before the request that uses it. */
import type { Digest } from '../facts/digest.ts';
import type { Message, MessageId, UserMessage } from '../message/message.ts';

/** The five layers, by name; `project` is what is left when they are not enough. */
/** The layers L0 to L4, in the order in which they run. */
export const LAYER_NAMES = ['snip', 'micro', 'auto', 'aggressive_micro', 'identity'] as const;
export type LayerName = (typeof LAYER_NAMES)[number];
export type EditLayer = LayerName | 'project';

export type ContextEdit =
  /** The message keeps its place, id and role, and shows other parts: a mask, shortened arguments, head and tail. */
  | {
      readonly kind: 'rewrite';
      readonly layer: EditLayer;
      readonly message: MessageId;
      readonly parts: Message['parts'];
      /** Of the message as it is shown now. */
      readonly tokens: number;
      /** Why, in a word that people read in the X-ray. */
      readonly reason: 'mask' | 'arguments' | 'head-and-tail' | 'quarantine';
    }
  /** All that `replacement.covers` names leaves the view; the replacement stands in its place. */
  | { readonly kind: 'replace'; readonly layer: EditLayer; readonly replacement: Replacement };

/** A message of the engine that stands for a range of stored ones. Not a stored message itself. */
export type Replacement = UserMessage &
  Required<Pick<UserMessage, 'kind' | 'covers'>> & {
    /** What a wider replacement of later takes over. */
    readonly digest: Digest;
  };

export function isReplacement(message: Message): message is Replacement {
  return message.role === 'user' && 'digest' in message;
}
