/** Joins the fragments of tool calls into whole calls, whatever a provider does with index and id (field-reports.md I, J). */
import type { ToolCallPart } from '@astroresearch/core';
import type { Ids } from '../ports.ts';
import { parseJson } from './json-fields.ts';

/** A fragment as it came; null where a field was absent, empty or of the wrong type. */
export type ToolCallDelta = {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string | null;
};

type Draft = { readonly index: number | null; id: string | null; name: string; arguments: string };

export type ToolCallAssembly = {
  add(delta: ToolCallDelta): void;
  /** True as soon as one fragment came. */
  readonly begun: boolean;
  /** The calls so far, in order of index, then of arrival, with ids of their own. */
  calls(): readonly ToolCallPart[];
};

const MAX_ID_ATTEMPTS = 10_000;
/** What other systems take for an id. Longer or stranger ones are refused by one provider or another. */
const USABLE_ID = /^[\x21-\x7e]{1,64}$/;

/**
 * Fragments belong together by index, then by id. A second id on an index is a second call, and so is a fragment
 * that names a tool once more behind arguments that are already complete. An id that is missing, unusable, repeated
 * in this reply or in `takenIds` gives way to a new one from `ids`. Arguments stay as they were written.
 */
export function createToolCallAssembly(
  ids: Ids,
  takenIds: ReadonlySet<string> = new Set(),
): ToolCallAssembly {
  const drafts: Draft[] = [];

  const open = (delta: ToolCallDelta): Draft => {
    const draft = { index: delta.index, id: delta.id, name: '', arguments: '' };
    drafts.push(draft);
    return draft;
  };

  return {
    add(delta) {
      const known = draftOf(drafts, delta);
      if (known !== undefined && repeats(known, delta)) return;
      const draft = known === undefined || opensAnother(known, delta) ? open(delta) : known;
      draft.id ??= delta.id;
      if (delta.name !== null) draft.name = joinName(draft.name, delta.name);
      if (delta.arguments !== null) draft.arguments += delta.arguments;
    },
    get begun() {
      return drafts.length > 0;
    },
    calls() {
      const given = new Set(takenIds);
      return inOrder(drafts.filter((draft) => draft.name !== '' || draft.arguments !== '')).map((draft) => {
        const kept = draft.id !== null && USABLE_ID.test(draft.id) && !given.has(draft.id);
        const toolCallId = kept && draft.id !== null ? draft.id : newId(ids, given);
        given.add(toolCallId);
        const text = draft.arguments.toWellFormed();
        return { type: 'tool-call', toolCallId, name: draft.name.toWellFormed(), arguments: text };
      });
    },
  };
}

function newId(ids: Ids, given: ReadonlySet<string>): string {
  for (let attempt = 0; attempt < MAX_ID_ATTEMPTS; attempt++) {
    const id = ids();
    if (!given.has(id)) return id;
  }
  throw new Error('`ids` repeats itself: give a function that returns a new id at each call.');
}

/** The call that a fragment goes on with; undefined: it begins one. */
function draftOf(drafts: readonly Draft[], delta: ToolCallDelta): Draft | undefined {
  const { index, id } = delta;
  const near = index === null ? drafts : drafts.filter((draft) => draft.index === index);
  const last = near.at(-1);
  if (id === null) return last;
  const sameId = near.findLast((draft) => draft.id === id);
  if (sameId !== undefined) return sameId;
  // An id that comes late, to a call that began without one.
  const late = last !== undefined && last.id === null && (index !== null || delta.name === null);
  return late ? last : undefined;
}

/** Names come before arguments; a name behind them is the same one said again, or the next call's. */
function opensAnother(draft: Draft, delta: ToolCallDelta): boolean {
  if (delta.name === null || draft.name === '' || draft.arguments === '') return false;
  if (delta.name !== draft.name) return true;
  return (delta.arguments ?? '').trim() !== '' && isWhole(draft.arguments);
}

/** The whole call once more, as some gateways send it in their last chunk. */
function repeats(draft: Draft, delta: ToolCallDelta): boolean {
  return (
    delta.id !== null &&
    delta.id === draft.id &&
    delta.name === draft.name &&
    delta.arguments !== null &&
    delta.arguments === draft.arguments &&
    isWhole(draft.arguments)
  );
}

/** The brace is looked at first: where each fragment repeats the name, parsing each time would be quadratic. */
function isWhole(text: string): boolean {
  return text.trimEnd().endsWith('}') && parseJson(text) !== undefined;
}

/** A name may come whole, whole again, growing, or in pieces. */
function joinName(sofar: string, piece: string): string {
  if (piece.startsWith(sofar)) return piece;
  return sofar + piece;
}

function inOrder(drafts: readonly Draft[]): readonly Draft[] {
  if (drafts.some((draft) => draft.index === null)) return drafts;
  return drafts.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}
