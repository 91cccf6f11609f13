/** The ladder: in order, each rung once, and it ends. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_KINDS, type ModelFailure } from './error-kind.ts';
import { type LadderState, nextRung } from './ladder.ts';
import { RECOVERY_ACTIONS, type RecoveryAction } from './recovery-action.ts';

const NO_OTHER = { limitTokens: 4_000, otherModel: null };

function climb(failure: ModelFailure, state: Partial<LadderState> = {}): readonly string[] {
  const taken: RecoveryAction[] = [];
  const seen: string[] = [];
  for (let pass = 0; pass < 20; pass++) {
    const before = { failure, taken, requestTokens: 5_000, hasUntrustedResults: false, ...NO_OTHER };
    const rung = nextRung({ ...before, ...state });
    if (rung === null) return seen;
    taken.push(rung.action);
    seen.push(rung.skipped === null ? rung.action : `(${rung.action})`);
  }
  return expect.fail('the ladder has no end');
}

describe('nextRung', () => {
  it('compacts twice for a request that is too long, and then tells', () => {
    expect(climb({ kind: 'context_too_long', message: '' })).toEqual([
      '(shrink_output)',
      'aggressive_compact',
      'reactive_compact',
      '(escalate_tokens)',
      '(multi_turn)',
      '(larger_model)',
      'surface',
    ]);
  });

  it('lowers the output first, where the provider named a limit that leaves room for one', () => {
    const failure = { kind: 'context_too_long', message: '', windowTokens: 10_000 } as const;
    expect(climb(failure)[0]).toBe('shrink_output');
    const state = { failure, taken: [], requestTokens: 5_000, hasUntrustedResults: false, ...NO_OTHER };
    expect(nextRung(state)).toMatchObject({ maxOutputTokens: 4_500 });
    expect(climb(failure, { requestTokens: 9_990 })[0]).toBe('(shrink_output)');
    expect(climb({ kind: 'output_limit', message: '', outputLimitTokens: 4_096 })).toEqual([
      'shrink_output',
      'surface',
    ]);
  });

  it.each([
    ['is asked where it holds the request and more than the present one', 9_000, null],
    ['is left alone where it is no larger', 4_000, 'the window of other is no larger'],
    ['is left alone where it is too small as well', 4_900, 'the window of other is too small as well'],
    ['is left alone where nobody knows its window', null, 'the window of other is not known'],
  ])('the other model %s', (_, limitTokens, skipped) => {
    const taken = RECOVERY_ACTIONS.filter((action) => action !== 'larger_model' && action !== 'surface');
    const failure = { kind: 'context_too_long', message: '' } as const;
    const state = { failure, taken, requestTokens: 5_000, hasUntrustedResults: false, limitTokens: 4_000 };
    const rung = nextRung({ ...state, otherModel: { name: 'other', limitTokens } });
    expect(rung).toEqual({
      action: 'larger_model',
      skipped,
      ...(skipped === null ? { model: 'other' } : {}),
    });
  });

  it('sets results of tools aside for a filter, where there are any', () => {
    const failure = { kind: 'content_filter', message: '' } as const;
    expect(climb(failure, { hasUntrustedResults: true })).toEqual(['quarantine', 'surface']);
    expect(climb(failure)).toEqual(['(quarantine)', 'surface']);
  });

  it('has nothing for what a person must mend, nor for what waiting heals', () => {
    for (const kind of [
      'auth',
      'quota_exhausted',
      'model_not_found',
      'bad_request',
      'rate_limited',
      'overloaded',
    ] as const)
      expect(climb({ kind, message: '' })).toEqual([]);
  });

  it('ends for every failure, with each rung once and in the order of the list', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ERROR_KINDS),
        fc.record({ windowTokens: fc.nat(), outputLimitTokens: fc.nat() }, { requiredKeys: [] }),
        fc.nat(),
        fc.boolean(),
        fc.option(fc.record({ name: fc.constant('other'), limitTokens: fc.option(fc.nat()) })),
        (kind, numbers, requestTokens, hasUntrustedResults, otherModel) => {
          const state = { requestTokens, hasUntrustedResults, otherModel };
          const rungs = climb({ kind, message: '', ...numbers }, state);
          const places = rungs.map((rung) =>
            RECOVERY_ACTIONS.indexOf(rung.replace(/[()]/g, '') as RecoveryAction),
          );
          expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
          if (rungs.length > 0) expect(rungs.at(-1)).toBe('surface');
        },
      ),
    );
  });
});
