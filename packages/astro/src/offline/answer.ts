/** Composes the final answer from what the tools returned, and from nothing else (recovery.md, The offline model). */
import type { Language } from '@astroresearch/core';
import type { NamesIn } from '../objects/catalogue-names.ts';
import { comparisonTable, findingText, workText } from './answer-parts.ts';
import { asksForBibtex } from './bibtex-request.ts';
import { citation } from './citation.ts';
import { compareQuantities } from './comparison.ts';
import type { Conversation } from './conversation.ts';
import { type Gathered, gather } from './evidence.ts';
import { findingsFor, isAbout, namedObjects } from './findings.ts';
import { plainText } from './markdown.ts';
import { targetText } from './target-text.ts';
import { ANSWER_TEXTS } from './texts.ts';
import type { BibtexResult, PaperIdentity, ToolFailure } from './tool-results.ts';

export type AnswerRequest = {
  readonly conversation: Conversation;
  /** The question with what it takes over from earlier ones. */
  readonly asked: string;
  /** It asks for more of what was found before. */
  readonly goesOn: boolean;
  /** False: the request offers no tools or forbids them. */
  readonly mayLookUp: boolean;
  readonly namesIn: NamesIn;
};

/** Markdown. Its first line says that no language model was used; every identifier in it comes from a tool result. */
export function composeAnswer(request: AnswerRequest): string {
  const { conversation } = request;
  const { language } = conversation;
  const gathered = gather(conversation);
  const body = asksForBibtex(conversation.question)
    ? bibtexBody(gathered, language)
    : researchBody(request, gathered);
  return [ANSWER_TEXTS[language].intro, ...body].filter((block) => block !== '').join('\n\n');
}

function researchBody(request: AnswerRequest, gathered: Gathered): readonly string[] {
  const { conversation, asked, goesOn, namesIn } = request;
  const { language } = conversation;
  const texts = ANSWER_TEXTS[language];
  const { targets, unread, widened } = gathered;
  if (conversation.question === '') return [texts.nothingAsked];
  if (gathered.papers.length === 0 && (targets.length === 0 || goesOn))
    return nothingFound(request, gathered);
  const named = namedObjects(asked, targets, namesIn);
  const about = gathered.papers.filter((paper) => named.size === 0 || isAbout(paper, named, namesIn));
  const papers = about.length > 0 ? about : gathered.papers;
  const comparisons = compareQuantities(about);
  const findings = findingsFor(asked, { papers: about, comparisons, targets }, namesIn);
  const told = new Set(findings.flatMap((finding) => (finding.kind === 'target' ? [finding.target] : [])));
  const toldValues = new Set(
    findings.flatMap((finding) => (finding.kind === 'paper' ? finding.quantities : [])),
  );
  const shown = comparisons.filter(({ differences }) => differences.length > 0);
  const further = [...gathered.papers.filter((paper) => !papers.includes(paper)), ...unread];
  return [
    widened === null ? '' : widenedText(widened, language),
    ...section(
      texts.direct,
      findings.map((finding) => findingText(finding, language)),
    ),
    papers.length === 0 ? texts.nothing : about.length === 0 ? texts.notAboutObject : '',
    ...(shown.length === 0
      ? []
      : [
          `### ${texts.compared}`,
          ...shown.map((comparison) => comparisonTable(comparison, language)),
          texts.independence,
        ]),
    ...section(
      texts.works,
      papers.map((paper) => workText(paper, toldValues, language)),
    ),
    furtherText(further, language),
    ...section(
      texts.target,
      targets.filter((target) => !told.has(target)).map((target) => targetText(target, language)),
    ),
    ...section(texts.limits, limits(gathered, papers.length, language)),
  ];
}

function furtherText(papers: readonly PaperIdentity[], language: Language): string {
  if (papers.length === 0) return '';
  const links = papers.map((paper) => citation(paper, language));
  return `${ANSWER_TEXTS[language].alsoFound}${links.join(language === 'zh' ? '；' : '; ')}`;
}

function widenedText(query: string, language: Language): string {
  const words = plainText(query);
  return language === 'zh'
    ? `按原问题检索没有结果；以下是改用“${words}”检索所得。`
    : `The question as asked found nothing; what follows was found with “${words}”.`;
}

function nothingFound(
  { goesOn, mayLookUp, conversation }: AnswerRequest,
  gathered: Gathered,
): readonly string[] {
  const { language } = conversation;
  const texts = ANSWER_TEXTS[language];
  if (gathered.shelf === null && gathered.failures.length === 0 && gathered.unreadable.length === 0) {
    return [mayLookUp ? texts.noTools : texts.notAllowed];
  }
  if (goesOn) return [texts.nothingMore];
  const advice = texts.advice.map((one) => `- ${one}`).join('\n');
  return [
    texts.nothing,
    ...section(texts.limits, limits(gathered, 0, language)),
    `${texts.tryThis}\n\n${advice}`,
  ];
}

function bibtexBody({ bibtex, failures }: Gathered, language: Language): readonly string[] {
  const texts = ANSWER_TEXTS[language];
  const failed = failures.map(({ tool, failure }) => `- ${failureText(tool, failure, language)}`).join('\n');
  if (bibtex === null) return failed === '' ? [texts.noBibtex] : [texts.nothing, failed];
  return [bibtexHead(bibtex, language), `\`\`\`bibtex\n${bibtex.bibtex}\n\`\`\``, failed];
}

function bibtexHead({ entries, missing }: BibtexResult, language: Language): string {
  const lost = missing.map(plainText).join(language === 'zh' ? '、' : ', ');
  if (language === 'zh') {
    return `共 ${entries} 条；作者超过三位的条目以 and others 结尾，定稿前请与 ADS 核对。${lost === '' ? '' : `未找到：${lost}。`}`;
  }
  const count = entries === 1 ? '1 entry' : `${entries} entries`;
  return `${count}; those with more than three authors end in “and others”, so check with ADS before publishing.${lost === '' ? '' : ` Not found: ${lost}.`}`;
}

function limits(gathered: Gathered, used: number, language: Language): readonly string[] {
  const texts = ANSWER_TEXTS[language];
  const { shelf, failures, unreadable, fromEarlier, onlyHits, total } = gathered;
  return [
    shelf === null ? '' : shelfText(shelf, used, total, language),
    fromEarlier ? texts.fromEarlier : '',
    onlyHits ? texts.onlyHits : '',
    ...failures
      .filter(({ tool, failure }) => tool !== 'search_papers' || failure.kind !== 'not_found')
      .map(({ tool, failure }) => failureText(tool, failure, language)),
    ...unreadable.map((tool) =>
      language === 'zh'
        ? `\`${tool}\` 的结果被截断或无法读取，未采用。`
        : `A result of \`${tool}\` was cut or cannot be read, and was not used.`,
    ),
  ].filter((line) => line !== '');
}

function shelfText(
  { works, newest }: NonNullable<Gathered['shelf']>,
  used: number,
  total: number,
  language: Language,
): string {
  if (language === 'zh') {
    const until = newest === null ? '' : `，最新到 ${newest}`;
    return `只检索了离线参考书架（${works} 篇${until}），不代表全部文献，也没有更晚的论文；共 ${total} 篇命中，采用 ${used} 篇。简介为书架自撰，不是摘要。`;
  }
  const until = newest === null ? '' : `, the newest of ${newest}`;
  return `Only the offline reference shelf was searched (${works} works${until}): it is not the whole literature and holds nothing later. ${total === 1 ? '1 hit' : `${total} hits`}, ${used} used. The notes are the shelf’s own words, not abstracts.`;
}

function failureText(tool: string, failure: ToolFailure, language: Language): string {
  const choices = [...failure.candidates.map(({ main_id }) => main_id), ...failure.nearest].map(plainText);
  const reason = plainText(failure.message);
  if (choices.length === 0) return `\`${tool}\`${language === 'zh' ? '：' : ': '}${reason}`;
  return language === 'zh'
    ? `\`${tool}\`：${reason} 相近的名称：${choices.join('、')}。`
    : `\`${tool}\`: ${reason} Similar names: ${choices.join(', ')}.`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}
