/** Two policies that know the future: bounds for what choosing can reach (quality.md 2, Bounds). */
import { groupsOf } from '../compaction/groups.ts';
import { pinsOf } from '../compaction/pins.ts';
import { literalsOf } from '../facts/collect-facts.ts';
import { isFromPerson, type Message, messageId, type UserMessage } from '../message/message.ts';
import { countMessage, type TokenCounter } from '../tokens/estimate.ts';
import { tokensOf } from './cost.ts';
import { needsOf, type StepNeeds } from './needs.ts';
import type { ReplayPolicy } from './policy.ts';

export type OracleOptions = {
  /** The whole recording: an oracle reads ahead in it. */
  readonly recording: readonly Message[];
  /** A cut is due above this. */
  readonly triggerTokens: number;
  /** Of the trigger, what a cut leaves. */
  readonly targetShare: number;
  readonly count: TokenCounter;
};

const LEDGER_TOKENS = 800;

/** Keeps whole groups, those that will be needed most for their tokens first. */
export function groupOracle(options: OracleOptions): ReplayPolicy {
  return oracle('oracle-groups', options, (view, needed) => {
    const worth = new Map<readonly Message[], number>();
    for (const group of freeGroups(view)) {
      const literals = new Set(group.flatMap(literalsOf));
      const uses = needed.reduce((sum, literal) => sum + (literals.has(literal) ? 1 : 0), 0);
      worth.set(group, uses / Math.max(1, tokensOf(group)));
    }
    const best = [...worth].toSorted(([, a], [, b]) => b - a).map(([group]) => group);
    return keep(view, best, options.triggerTokens * options.targetShare);
  });
}

/** Cuts plainly, newest groups kept, and lists 800 tokens of what will be needed and is not in view any more. */
export function ledgerOracle(options: OracleOptions): ReplayPolicy {
  return oracle('oracle-ledger', options, (view, needed) => {
    const plain = view.filter((message) => !isLedger(message));
    const target = options.triggerTokens * options.targetShare - LEDGER_TOKENS;
    const kept = keep(plain, freeGroups(plain).toReversed(), target);
    const visible = new Set(kept.flatMap(literalsOf));
    const ledger = ledgerMessage(
      needed.filter((literal) => !visible.has(literal)),
      options.count,
    );
    const first = kept.findIndex(isFromPerson);
    return [...kept.slice(0, first + 1), ledger, ...kept.slice(first + 1)];
  });
}

type Cut = (view: readonly Message[], needed: readonly string[]) => readonly Message[];

function oracle(name: string, { recording, triggerTokens }: OracleOptions, cut: Cut): ReplayPolicy {
  return {
    name,
    start: () => {
      const needs = needsOf(recording);
      let view: readonly Message[] = [];
      let told = 0;
      return {
        next: (added) => {
          view = [...view, ...added];
          told += added.length;
          const isDue = tokensOf(view) > triggerTokens;
          if (isDue) view = cut(view, futureNeeds(needs, told));
          return {
            messages: view,
            compactions: isDue ? 1 : 0,
            summariserInputTokens: 0,
            summariserOutputTokens: 0,
          };
        },
        storedOrdinal: (index) => index + 1,
      };
    },
  };
}

/** From the next reply on, in the order of use; a literal comes as often as it will be needed. */
function futureNeeds(needs: readonly StepNeeds[], position: number): readonly string[] {
  return needs
    .filter((step) => step.position >= position)
    .flatMap((step) => step.needs.map(({ literal }) => literal));
}

/** The groups that no pin holds, oldest first. */
function freeGroups(view: readonly Message[]): readonly (readonly Message[])[] {
  const pins = pinsOf(view).messages;
  return groupsOf(view)
    .map(({ start, end }) => view.slice(start, end))
    .filter((group) => !group.some((message) => pins.has(message.id)));
}

/** What is pinned, and as many of `groups`, the first first, as fit. */
function keep(
  view: readonly Message[],
  groups: readonly (readonly Message[])[],
  targetTokens: number,
): readonly Message[] {
  const free = new Set(groups.flat());
  let left = targetTokens - tokensOf(view.filter((message) => !free.has(message)));
  const kept = new Set<Message>();
  for (const group of groups) {
    const tokens = tokensOf(group);
    if (tokens > left) continue;
    left -= tokens;
    for (const message of group) kept.add(message);
  }
  return view.filter((message) => kept.has(message) || !free.has(message));
}

function isLedger(message: Message): boolean {
  return message.role === 'user' && message.kind === 'summary';
}

function ledgerMessage(literals: readonly string[], count: TokenCounter): UserMessage {
  let left = LEDGER_TOKENS;
  const listed = new Set<string>();
  for (const literal of new Set(literals)) {
    left -= count(literal) + 1;
    if (left < 0) break;
    listed.add(literal);
  }
  const parts = [{ type: 'text' as const, text: [...listed].join(' · ') }];
  const base = { id: messageId(0), agentName: 'lead', turnIndex: 0, step: 0, createdAtMs: 0 };
  return { ...base, role: 'user', kind: 'summary', parts, tokens: countMessage(parts, count) };
}
