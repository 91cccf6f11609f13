/** One self-contained page of a replay: totals, and for each session its curves, as SVG without a script. */
import { type Language, recallRate, survivalRate } from '@astroresearch/core';
import type { Played, PlayedSession } from './played.ts';
import { REPLAY_TEXTS, say } from './texts.ts';

const WIDTH = 720;
const HEIGHT = 160;

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2230;--paper:#fff;--line:#d5dae3;--a:#2f6fed;--b:#d9822b;--bad:#c8372d}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf2;--paper:#11151d;--line:#2d3546;--a:#7aa7ff;--b:#f0a85a;--bad:#ff7b70}}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:var(--ink);background:var(--paper)}
table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:right}
th:first-child,td:first-child{text-align:left}figure{margin:1.5rem 0}svg{width:100%;height:auto;border:1px solid var(--line)}
figcaption{overflow-wrap:anywhere}.a{stroke:var(--a)}.b{stroke:var(--b)}.cached{stroke-dasharray:4 3}.miss{fill:var(--bad)}
polyline{fill:none;stroke-width:1.6}`;

export function replayPage(
  ours: Played,
  against: Played | null,
  oracles: readonly Played[],
  language: Language,
): string {
  const t = (key: keyof typeof REPLAY_TEXTS) => escaped(say(REPLAY_TEXTS[key], language));
  const all = [ours, ...(against === null ? [] : [against]), ...oracles];
  const rows = all.map(({ policy, total }) => {
    const cells = [
      total.steps,
      total.tokensSent,
      Math.round(total.billed),
      total.compactions,
      total.violations,
      percent(survivalRate(total.survival)),
      percent(recallRate(total.survival)),
    ];
    return `<tr><td>${escaped(policy)}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const heads = (
    ['policy', 'steps', 'sent', 'billed', 'compactions', 'violations', 'survival', 'recall'] as const
  )
    .map((key) => `<th scope="col">${t(key)}</th>`)
    .join('');
  const figures = ours.sessions.map((session, index) =>
    figure(session, against?.sessions[index] ?? null, t('curves')),
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${t('title')}</title><style>${STYLE}</style></head><body><h1>${t('title')}</h1>`,
    `<table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
    ...figures,
    '</body></html>\n',
  ].join('\n');
}

/** Tokens sent and cached at each step; a red mark where something that the reply used was not in view. */
function figure(session: PlayedSession, against: PlayedSession | null, caption: string): string {
  const most = Math.max(
    1,
    ...[session, against].flatMap((one) => one?.steps.map(({ cost }) => cost.tokensSent) ?? []),
  );
  const curves = [session, against].flatMap((one, index) => {
    if (one === null) return [];
    const name = index === 0 ? 'a' : 'b';
    return [
      curve(
        one.steps.map(({ cost }) => cost.tokensSent / most),
        name,
      ),
      curve(
        one.steps.map(({ cost }) => cost.tokensCached / most),
        `${name} cached`,
      ),
    ];
  });
  const misses = session.steps.flatMap(({ needs }, step) =>
    needs.some(({ fate }) => fate !== 'view')
      ? [`<circle class="miss" r="3" cx="${x(step, session.steps.length)}" cy="${HEIGHT - 6}"/>`]
      : [],
  );
  const title = `${escaped(session.file)} · ${session.steps.length} · ${percent(survivalRate(session.totals.survival))}`;
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">${curves.join('')}${misses.join('')}</svg>`;
  return `<figure><figcaption>${title}<br><small>${caption} (${most})</small></figcaption>${svg}</figure>`;
}

function curve(shares: readonly number[], name: string): string {
  const points = shares.map(
    (share, step) => `${x(step, shares.length)},${(HEIGHT * (1 - share)).toFixed(1)}`,
  );
  return `<polyline class="${name}" points="${points.join(' ')}"/>`;
}

function x(step: number, steps: number): string {
  return ((WIDTH * step) / Math.max(1, steps - 1)).toFixed(1);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** File names come from the command line, and the page from them. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
