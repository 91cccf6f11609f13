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
  /** The largest request that the present model takes, tokens. */
  readonly limitTokens: number;
  /** The other model that is configured; null: none, or it is the present one. */
  readonly otherModel: OtherModel | null;
};

/** `limitTokens`: the largest request that it takes; null: nobody knows. */
export type OtherModel = { readonly name: string; readonly limitTokens: number | null };

export type Rung = {
  readonly action: RecoveryAction;
  /** Why it cannot help here; null: it is tried. */
  readonly skipped: string | null;
  /** For `shrink_output`: what the answer may have. */
  readonly maxOutputTokens?: number;
  /** For `larger_model`: what to ask from now on. */
  readonly model?: string;
};

/** Below this an answer is of no use. */
export const MIN_OUTPUT_TOKENS = 256;
/** Of what is left of the window, in case our count is a little low. */
export const OUTPUT_MARGIN = 0.9;

type Step = { readonly action: RecoveryAction; readonly look: (state: LadderState) => Omit<Rung, 'action'> };

const always = () => ({ skipped: null });
const never = (why: string) => () => ({ skipped: why });

const OVERFLOW: readonly Step[] = [
  { action: 'shrink_output', look: shrinkOutput },
  { action: 'aggressive_compact', look: always },
  { action: 'reactive_compact', look: always },
  { action: 'escalate_tokens', look: never('the model’s own window is the limit') },
  { action: 'multi_turn', look: never('it would not make the request smaller') },
  { action: 'larger_model', look: largerModel },
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

/** The other model must hold what was refused, and more than the present one does. */
function largerModel({ requestTokens, limitTokens, otherModel }: LadderState): Omit<Rung, 'action'> {
  if (otherModel === null) return { skipped: 'no model with a larger window is configured' };
  const { name, limitTokens: otherTokens } = otherModel;
  if (otherTokens === null) return { skipped: `the window of ${name} is not known` };
  if (otherTokens <= limitTokens) return { skipped: `the window of ${name} is no larger` };
  return otherTokens < requestTokens
    ? { skipped: `the window of ${name} is too small as well` }
    : { skipped: null, model: name };
}
