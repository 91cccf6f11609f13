/** Holds a session for one turn: claims it, keeps it, lets it go (reliability.md, Multi-process sessions). */
import type { Clock } from '../ports.ts';
import type { Store } from '../store/store.ts';

const LEASE_TTL_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
/** An owner that could not renew for so long stops by itself, before anyone can take over. */
const FENCE_AFTER_MS = 10_000;

export type Lease = {
  readonly epoch: number;
  release(): Promise<void>;
};

/** Null: somebody else holds it. `lost` is called once if the lease cannot be kept. */
export async function claimLease(
  parts: { readonly store: Store; readonly clock: Clock },
  sessionId: string,
  owner: string,
  lost: () => void,
): Promise<Lease | null> {
  const { store, clock } = parts;
  const outcome = await store.claim(sessionId, owner, clock.nowMs(), LEASE_TTL_MS);
  if (outcome.kind === 'held') return null;
  const { epoch } = outcome;
  let renewedAtMs = clock.monotonicMs();
  let stop = () => {};

  const renewLater = () => {
    stop = clock.after(RENEW_EVERY_MS, () => {
      store
        .renew(sessionId, owner, epoch, clock.nowMs(), LEASE_TTL_MS)
        .then((kept) => {
          if (!kept) return lost();
          renewedAtMs = clock.monotonicMs();
          renewLater();
        })
        .catch(() => {
          if (clock.monotonicMs() - renewedAtMs >= FENCE_AFTER_MS) lost();
          else renewLater();
        });
    });
  };
  renewLater();

  return {
    epoch,
    async release() {
      stop();
      await store.release(sessionId, owner, epoch);
    },
  };
}
