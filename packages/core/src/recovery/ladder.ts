/** The recovery ladder (recovery.md): for a request that the provider refuses for what it is, rung by rung. */
import type { ErrorKind, ModelFailure } from './error-kind.ts';
import type { RecoveryAction } from './recovery-action.ts';

/** What a rung can know before it is taken. */
export type LadderState = {
  readonly failure: ModelFailure;
  /** Rungs of this turn so far, skipped ones included: each is taken at most once. */
  readonly taken: readonly RecoveryAction[];
  /** Of the request that was refused, as we count. */
  readonly requestTokens: number;
  /** The newest step holds results of tools, which may hold anything. */
  readonly hasUntrustedResults: boolean;
};

export type Rung = {
  readonly action: RecoveryAction;
  /** Why it cannot help here; null: it is tried. */
  readonly skipped: string | null;
  /** For `shrink_output`: what the answer may have. */
  readonly maxOutputTokens?: number;
};

/** Below this an answer is of no use. */
const MIN_OUTPUT_TOKENS = 256;
/** Of what is left of the window, in case our count is a little low. */
const OUTPUT_MARGIN = 0.9;

type Step = { readonly action: RecoveryAction; readonly look: (state: LadderState) => Omit<Rung, 'action'> };

const always = () => ({ skipped: null });
const never = (why: string) => () => ({ skipped: why });

const OVERFLOW: readonly Step[] = [
  { action: 'shrink_output', look: shrinkOutput },
  { action: 'aggressive_compact', look: always },
  { action: 'reactive_compact', look: always },
  { action: 'escalate_tokens', look: never('the model’s own window is the limit') },
  { action: 'multi_turn', look: never('it would not make the request smaller') },
  { action: 'larger_model', look: never('no model with a larger window is configured') },
  { action: 'surface', look: always },
];

/** What waiting cannot heal and the ladder can. Everything else is told to the user at once. */
const LADDERS: Readonly<Partial<Record<ErrorKind, readonly Step[]>>> = {
  context_too_long: OVERFLOW,
  payload_too_large: OVERFLOW.filter(({ action }) => action !== 'shrink_output'),
  output_limit: [
    { action: 'shrink_output', look: shrinkOutput },
    { action: 'surface', look: always },
  ],
  content_filter: [
    {
      action: 'quarantine',
      look: ({ hasUntrustedResults }) =>
        hasUntrustedResults ? always() : { skipped: 'no result of a tool is to blame' },
    },
    { action: 'surface', look: always },
  ],
  tool_pairing: [
    { action: 'repair_history', look: never('by our rules nothing is broken') },
    { action: 'surface', look: always },
  ],
};

/** Null: this kind has no ladder, or it has come to its end. */
export function nextRung(state: LadderState): Rung | null {
  const step = LADDERS[state.failure.kind]?.find(({ action }) => !state.taken.includes(action));
  return step === undefined ? null : { action: step.action, ...step.look(state) };
}

function shrinkOutput({ failure, requestTokens }: LadderState): Omit<Rung, 'action'> {
  const { outputLimitTokens, windowTokens } = failure;
  if (outputLimitTokens !== undefined) return { skipped: null, maxOutputTokens: outputLimitTokens };
  if (windowTokens === undefined) return { skipped: 'the provider named no limit' };
  const left = Math.floor((windowTokens - requestTokens) * OUTPUT_MARGIN);
  return left < MIN_OUTPUT_TOKENS
    ? { skipped: 'the input alone fills the window' }
    : { skipped: null, maxOutputTokens: left };
}
