/** A repeat of a request under the same `Idempotency-Key` is answered, not carried out again (api.md, HTTP; I20). */
import { type AnsweredRequest, type RequestKey, type SessionState, textHash } from '@astroresearch/core';
import type { TurnRequest } from '../agent-types.ts';

/** Null: the request names no key. The hash covers all that it asks for. */
export function requestKeyOf({ idempotencyKey, ...asked }: TurnRequest): RequestKey | null {
  if (idempotencyKey === undefined) return null;
  const fields = Object.entries(asked).filter(([, value]) => value !== undefined);
  return { key: idempotencyKey, hash: textHash(JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)))) };
}

export type KnownRequest =
  /** The same request: here is its turn. */
  | { readonly kind: 'repeated'; readonly turnId: string; readonly firstSeq: number }
  /** The key was used for something else. */
  | { readonly kind: 'key-reused'; readonly turnId: string };

/** Null: the session has not seen the key. */
export function knownRequest(state: SessionState, asked: RequestKey | null): KnownRequest | null {
  const earlier = asked === null ? undefined : state.answered.find(({ key }) => key === asked.key);
  return earlier === undefined || asked === null ? null : compare(earlier, asked);
}

function compare({ hash, turnId, seq }: AnsweredRequest, asked: RequestKey): KnownRequest {
  return hash === asked.hash ? { kind: 'repeated', turnId, firstSeq: seq } : { kind: 'key-reused', turnId };
}
