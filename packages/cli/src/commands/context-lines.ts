/** Draws a request for a terminal: a bar against the limits, what each letter of it is, and one line a block. */
import {
  type Bilingual,
  type ContextBlock,
  type ContextLimits,
  type ContextTotals,
  type Language,
  type RequestContext,
  shareTokens,
} from '@astroresearch/core';
import { say } from '../texts.ts';

const BAR_CELLS = 64;

type Group = keyof ContextTotals;

/** In the order of the bar. Letters, not colours: it reads the same in a pipe. */
const GROUPS: readonly { readonly group: Group; readonly letter: string; readonly name: Bilingual }[] = [
  { group: 'tools', letter: 'T', name: { zh: '工具', en: 'tools' } },
  { group: 'system', letter: 'S', name: { zh: '系统提示', en: 'system' } },
  { group: 'memory', letter: 'M', name: { zh: '记忆', en: 'memory' } },
  { group: 'summary', letter: 'C', name: { zh: '压缩摘要', en: 'summary' } },
  { group: 'history', letter: 'H', name: { zh: '对话', en: 'history' } },
  { group: 'toolResults', letter: 'R', name: { zh: '工具结果', en: 'tool results' } },
  { group: 'restoredFiles', letter: 'F', name: { zh: '恢复的文件', en: 'restored files' } },
  { group: 'reminders', letter: 'N', name: { zh: '提醒', en: 'reminders' } },
];

const TEXTS = {
  made: { zh: '请求 {request}', en: 'Request {request}' },
  next: { zh: '请求 {request}（下一个）', en: 'Request {request} (the next)' },
  size: {
    zh: '{tokens} tokens，其中缓存前缀 {cached}；熔断器 {breaker}',
    en: '{tokens} tokens, {cached} of them cached; breaker {breaker}',
  },
  limits: {
    zh: '压缩触发 {trigger} · 软上限 {soft} · 硬上限 {hard} · 窗口 {window}',
    en: 'compaction above {trigger} · soft {soft} · hard {hard} · window {window}',
  },
  saved: {
    zh: '{layer}，始于请求 {at}（{trigger}，{reason}），省 {saved}',
    en: '{layer} since request {at} ({trigger}, {reason}), saves {saved}',
  },
  empty: { zh: '（还没有消息）', en: '(no messages yet)' },
} satisfies Record<string, Bilingual>;

const HEADINGS: readonly Bilingual[] = [
  { zh: '引用', en: 'ref' },
  { zh: '角色', en: 'role' },
  { zh: '类型', en: 'kind' },
  { zh: 'tokens', en: 'tokens' },
  { zh: '缓存', en: 'cached' },
  { zh: '由何层替换', en: 'replaced by' },
];
const TOKENS_COLUMN = 3;

export function contextLines(
  context: RequestContext,
  limits: ContextLimits,
  language: Language,
): readonly string[] {
  const { request, isNext, tokens, cachedPrefixTokens, breaker, blocks, totals } = context;
  const title = say(isNext ? TEXTS.next : TEXTS.made, language, { request: String(request) });
  const size = say(TEXTS.size, language, {
    tokens: grouped(tokens),
    cached: grouped(cachedPrefixTokens),
    breaker,
  });
  const lines = say(TEXTS.limits, language, {
    trigger: grouped(limits.triggerTokens),
    soft: grouped(limits.softTokens),
    hard: grouped(limits.hardTokens),
    window: grouped(limits.windowTokens),
  });
  const legend = GROUPS.filter(({ group }) => totals[group] > 0).map(
    ({ group, letter, name }) => `${letter} ${name[language]} ${grouped(totals[group])}`,
  );
  return [
    `${title}: ${size}`,
    bar(totals, Math.max(tokens, limits.hardTokens)),
    ...(legend.length === 0 ? [] : [legend.join(' · ')]),
    lines,
    '',
    ...(blocks.length === 0 ? [TEXTS.empty[language]] : table(blocks, language)),
  ];
}

/** The whole width is `fullTokens`; a group that is there at all has a letter. */
function bar(totals: ContextTotals, fullTokens: number): string {
  const present = GROUPS.filter(({ group }) => totals[group] > 0);
  const tokens = present.reduce((sum, { group }) => sum + totals[group], 0);
  const filled = Math.max(present.length, Math.min(BAR_CELLS, Math.round((tokens / fullTokens) * BAR_CELLS)));
  const cells = shareTokens(
    present.map(({ group }) => totals[group]),
    filled,
  );
  const letters = present.map(({ letter }, index) => letter.repeat(cells[index] ?? 1));
  return `[${letters.join('').padEnd(BAR_CELLS, '·')}]`;
}

function table(blocks: readonly ContextBlock[], language: Language): readonly string[] {
  const rows = [
    HEADINGS.map((heading) => heading[language]),
    ...blocks.map((block) => cellsOf(block, language)),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - columnsOf(cell));
        return column === TOKENS_COLUMN ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf(
  { ref, role, kind, tokens, cached, replacedBy }: ContextBlock,
  language: Language,
): string[] {
  const replaced =
    replacedBy === null
      ? ''
      : say(TEXTS.saved, language, {
          layer: replacedBy.layer,
          at: String(replacedBy.atRequest),
          trigger: replacedBy.trigger,
          reason: replacedBy.reason,
          saved: grouped(replacedBy.tokensSaved),
        });
  return [ref ?? '-', role, kind, grouped(tokens), cached ? '*' : '', replaced];
}

/** 12345 as `12 345`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** Columns of a terminal that a text takes: Chinese characters are two wide. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += /[\u2e80-\u9fff\uff00-\uff60]/.test(character) ? 2 : 1;
  return columns;
}
