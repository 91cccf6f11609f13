/** What a recall says to the model, in both languages: pages with their refs, hits, and what to do where there is nothing. */
import type { Language } from '@astroresearch/core';
import type { RecalledItem, RecallOutcome, RecallRefusal } from './recall-types.ts';

/** The most that is written around an item, and around all of them together, characters. */
export const ITEM_CHARS = 110;
export const FRAME_CHARS = 120;

const MAX_NAME_CHARS = 40;

/** Pages or hits as one text; the texts of their items stand in it unchanged. */
export function recalledText(
  outcome: Exclude<RecallOutcome, { kind: 'refused' }>,
  language: Language,
): string {
  const blocks = outcome.items.map((item) => `${heading(item, language)}\n${item.text}`);
  switch (outcome.kind) {
    case 'found':
      return [...blocks, ...(outcome.next === null ? [] : [nextPageText(outcome.next, language)])].join('\n');
    case 'hits':
      return [...blocks, hitsText(outcome, language)].join('\n');
    default:
      return outcome satisfies never;
  }
}

/** `[m42 · read_file · 3600–7200 of 18241]` */
function heading(item: RecalledItem, language: Language): string {
  const who = [...(item.name ?? item.kind ?? item.role)];
  const name = who.length > MAX_NAME_CHARS ? `${who.slice(0, MAX_NAME_CHARS - 1).join('')}…` : who.join('');
  const end = item.nextOffset ?? item.totalChars;
  const place = {
    zh: `第 ${item.offset}–${end} 字符，共 ${item.totalChars}`,
    en: `${item.offset}–${end} of ${item.totalChars}`,
  }[language];
  return `[${[item.ref, name, place, ...faultTexts(item, language)].join(' · ')}]`;
}

function faultTexts({ fault }: RecalledItem, language: Language): readonly string[] {
  switch (fault) {
    case undefined:
      return [];
    case 'damaged':
      return [{ zh: '全文已损坏，这是存下的节选', en: 'whole is damaged, this is cut' }[language]];
    case 'missing':
      return [{ zh: '全文已丢失，这是存下的节选', en: 'whole is missing, this is cut' }[language]];
    default:
      return fault satisfies never;
  }
}

function nextPageText({ ref, offset }: { ref: string; offset: number }, language: Language): string {
  const call = `recall_context {"ref":"${ref}","offset":${offset}}`;
  return { zh: `[续读：${call}]`, en: `[more: ${call}]` }[language];
}

function hitsText(outcome: Extract<RecallOutcome, { kind: 'hits' }>, language: Language): string {
  const { items, offset, total, next, unsearchedOutputs: left } = outcome;
  const unsearched =
    left === 0
      ? []
      : [
          { zh: `另有 ${left} 个较早的长结果未搜索`, en: `${left} older long outputs not searched` }[
            language
          ],
        ];
  if (items.length === 0) return [nothingFoundText(outcome, language), ...unsearched].join('\n');
  const range = `${offset + 1}–${offset + items.length}`;
  const count = { zh: `第 ${range} 处，共 ${total} 处`, en: `hits ${range} of ${total}` }[language];
  const more =
    next === null
      ? []
      : [
          { zh: `其余：同样的 query 加 "offset":${next}`, en: `more: same query, "offset":${next}` }[
            language
          ],
        ];
  return `[${[count, ...more, ...unsearched].join({ zh: '；', en: '; ' }[language])}]`;
}

function nothingFoundText({ total }: { total: number }, language: Language): string {
  if (total > 0)
    return {
      zh: `只有 ${total} 处，请减小 offset。`,
      en: `There are only ${total} hits; use a smaller offset.`,
    }[language];
  return {
    zh: '本次对话的存档中没有找到。换用更少或别的词（原文里的写法），或用 ref 直接取回。',
    en: 'Nothing of this is in the stored conversation. Use fewer or other words, as the text would have them, or recall by ref.',
  }[language];
}

/** Why nothing came back, and what to ask instead. */
export function refusalText(refusal: RecallRefusal, language: Language): string {
  switch (refusal.reason) {
    case 'nothing-asked':
      return {
        zh: '请给出 ref（如 "m42" 或 "m4-m31"），或 query（几个关键词）。',
        en: 'Give a ref, such as "m42" or "m4-m31", or a query of a few words.',
      }[language];
    case 'malformed-ref': {
      const ref = JSON.stringify(refusal.ref.slice(0, 60));
      return {
        zh: `${ref} 不是 ref。ref 形如 "m42"，范围形如 "m4-m31"；要按内容查找，请用 query。`,
        en: `${ref} is no ref. A ref looks like "m42", a range like "m4-m31"; to look for words, use query.`,
      }[language];
    }
    case 'unknown-ref': {
      const { ref, nearest } = refusal;
      if (nearest.length === 0) {
        return {
          zh: `本次对话中没有 ${ref}。请使用占位符或摘要里给出的 ref，或用 query 查找。`,
          en: `There is no ${ref} in this conversation. Use a ref that a placeholder or summary names, or look with query.`,
        }[language];
      }
      return {
        zh: `本次对话中没有 ${ref}，最接近的是 ${nearest.join('、')}。`,
        en: `There is no ${ref} in this conversation; the nearest: ${nearest.join(', ')}.`,
      }[language];
    }
    case 'past-end': {
      const { ref, offset, totalChars } = refusal;
      return {
        zh: `offset ${offset} 超出末尾：${ref} 共 ${totalChars} 个字符，offset 从 0 开始。`,
        en: `offset ${offset} is past the end: ${ref} has ${totalChars} characters, counted from 0.`,
      }[language];
    }
    default:
      return refusal satisfies never;
  }
}
