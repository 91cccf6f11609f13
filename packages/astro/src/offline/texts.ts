/** What the offline researcher says, in both languages. */
import type { Language } from '@astroresearch/core';

/** What a move is announced with. */
export type Said =
  | { readonly kind: 'search'; readonly targets: readonly string[] }
  | { readonly kind: 'search-wider' }
  | { readonly kind: 'read'; readonly papers: number }
  | { readonly kind: 'export'; readonly works: number }
  | { readonly kind: 'close' };

export function moveText(said: Said, language: Language): string {
  switch (said.kind) {
    case 'search': {
      const names = said.targets.join(language === 'zh' ? '、' : ', ');
      if (language === 'zh') return `检索离线参考书架${names === '' ? '' : `，并核对 ${names} 的基本数据`}。`;
      return `Searching the offline shelf${names === '' ? '' : ` and looking up ${names}`}.`;
    }
    case 'search-wider':
      return {
        zh: '没有结果，换一组词再检索一次。',
        en: 'Nothing found; trying once more with other words.',
      }[language];
    case 'read': {
      const { papers } = said;
      const works = papers === 1 ? 'the best work' : `the ${papers} best works`;
      return { zh: `读取最相关的 ${papers} 篇的记录。`, en: `Reading the records of ${works}.` }[language];
    }
    case 'export': {
      const works = said.works === 1 ? '1 work' : `${said.works} works`;
      return { zh: `导出 ${said.works} 篇的 BibTeX。`, en: `Exporting BibTeX for ${works}.` }[language];
    }
    case 'close':
      return { zh: '资料已齐，整理回答。', en: 'That is all there is to read; writing the answer.' }[
        language
      ];
    default:
      return said satisfies never;
  }
}

const MAX_PLAN_QUESTION_CHARS = 60;

export function planText(step: 'search' | 'read' | 'answer', question: string, language: Language): string {
  const characters = [...question.replace(/\s+/g, ' ')];
  const short =
    characters.length <= MAX_PLAN_QUESTION_CHARS
      ? characters.join('')
      : `${characters.slice(0, MAX_PLAN_QUESTION_CHARS).join('')}…`;
  switch (step) {
    case 'search':
      return { zh: `检索参考书架：${short}`, en: `Search the reference shelf: ${short}` }[language];
    case 'read':
      return { zh: '读取最相关论文的记录', en: 'Read the records of the best works' }[language];
    case 'answer':
      return {
        zh: '比较数值与结论，附出处作答',
        en: 'Compare values and claims, and answer with citations',
      }[language];
    default:
      return step satisfies never;
  }
}

/** Fixed pieces of an answer. */
export const ANSWER_TEXTS = {
  zh: {
    intro: '*离线研究助手：没有使用语言模型，以下内容按规则摘自随产品附带的离线参考书架，每条都附出处。*',
    direct: '直接回答',
    compared: '数值比较',
    works: '相关文献',
    target: '目标天体',
    limits: '局限',
    columns: ['数值', '方法', '文献'],
    alsoFound: '另外检索到：',
    nothing: '**未找到来源。** 离线参考书架中没有与这个问题相符的论文；这不说明文献中没有。',
    notAboutObject:
      '**书架上没有专门研究该天体的论文。** 下面的文献只与问题中的其他词相符，不能当作该天体的结果。',
    nothingMore: '**没有更多结果。** 与上一个问题相符的论文已全部列出。',
    nothingAsked: '请提出一个天文学问题，例如“NGC 1068 是否为中微子源？”。',
    notAllowed: '这一步不能使用工具，而对话中还没有检索结果，因此无法给出有出处的回答。请再问一次。',
    noTools: '当前没有可用的检索工具，因此无法给出有出处的回答。',
    tryThis: '可以试试：',
    advice: [
      '换用更少、更一般的词，或英文术语（如 “Hubble constant”、“TRGB”）；',
      '直接给出 arXiv 号、DOI 或 bibcode，或天体名称（如 NGC 1068、K2-18 b）；',
      '书架涵盖的主题：哈勃张力、暗能量、微波背景、距离尺度、NGC 1068 与中微子、黑洞、引力波、脉冲星、K2-18 b 与系外行星、星系演化、Gaia、3I/ATLAS；',
      '配置语言模型或联网来源后再问。',
    ],
    fromEarlier: '这一步没有重新检索，依据的是此前对话中的检索结果。',
    onlyHits: '未能读取完整记录，每篇只有一句说明，没有数值。',
    independence:
      '差异按误差相互独立、服从高斯分布估算，统计与系统误差平方相加；部分文献共用数据。此处不取平均。',
    noBibtex:
      '对话中还没有引用过论文，也没有给出编号，因此没有可导出的条目。请先提出研究问题，或给出 arXiv 号、DOI 或 bibcode。',
  },
  en: {
    intro:
      '*Offline researcher: no language model was used. What follows is extracted by rules from the offline reference shelf that ships with the product, each statement with its source.*',
    direct: 'Direct answer',
    compared: 'Values compared',
    works: 'Works',
    target: 'Target',
    limits: 'Limits',
    columns: ['Value', 'Method', 'Reference'],
    alsoFound: 'Also found: ',
    nothing:
      '**No source found.** No work on the offline reference shelf fits this question. That does not mean that the literature has none.',
    notAboutObject:
      '**No work on the shelf is about this object.** The works below only fit other words of the question: do not take them for results on it.',
    nothingMore: '**Nothing more.** All works that fit the question before have been listed.',
    nothingAsked: 'Ask a question of astronomy, such as “Is NGC 1068 a neutrino source?”.',
    notAllowed:
      'No tools may be used in this step, and the conversation holds no search results yet, so there is no answer with sources. Please ask again.',
    noTools: 'There is no search tool here, so there is no answer with sources.',
    tryThis: 'You could try:',
    advice: [
      'fewer or more general words, such as “Hubble constant” or “TRGB”;',
      'an arXiv id, DOI or bibcode, or the name of an object (NGC 1068, K2-18 b);',
      'what the shelf is about: Hubble tension, dark energy, microwave background, distance scale, NGC 1068 and neutrinos, black holes, gravitational waves, pulsars, K2-18 b and exoplanets, galaxy evolution, Gaia, 3I/ATLAS;',
      'asking again with a language model or a network source configured.',
    ],
    fromEarlier: 'Nothing was searched in this step: this rests on results from earlier in the conversation.',
    onlyHits: 'The full records were not read: one sentence each, no values.',
    independence:
      'Differences take the errors as independent and Gaussian, statistical and systematic in quadrature; some of the works share data. Nothing is averaged.',
    noBibtex:
      'No work has been cited in this conversation and no identifier was given, so there is nothing to export. Ask a research question first, or give an arXiv id, DOI or bibcode.',
  },
} as const;
