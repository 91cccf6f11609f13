/** The parts of an answer that come from records: findings, works, comparisons. Every claim carries its work's link. */
import type { Language } from '@astroresearch/core';
import { quantityName } from '../language/quantity-name.ts';
import { authorsAndYear, citation, citationLink } from './citation.ts';
import type { ComparedValue, Comparison, Difference } from './comparison.ts';
import { type Finding, sentencesOf } from './findings.ts';
import { latexQuantity, latexValue } from './latex-quantity.ts';
import { plainText, table } from './markdown.ts';
import { targetText } from './target-text.ts';
import { ANSWER_TEXTS } from './texts.ts';
import type { PaperQuantity, PaperRecord } from './tool-results.ts';

export function findingText(finding: Finding, language: Language): string {
  switch (finding.kind) {
    case 'target':
      return targetText(finding.target, language);
    case 'comparison':
      return comparisonText(finding.comparison, language);
    case 'paper': {
      const { paper, sentence, quantities } = finding;
      return sourced(plainText(sentence), quantities, paper, language);
    }
    default:
      return finding satisfies never;
  }
}

/** One work: who, when, what, where to find it, what the shelf says about it, its values. */
export function workText(paper: PaperRecord, language: Language): string {
  const who = `**${plainText(authorsAndYear(paper, language))}**`;
  const note = plainText(sentencesOf(paper.summary).join(language === 'zh' ? '' : ' '));
  const values = valuesText(paper.quantities, language);
  const title = plainText(paper.title);
  return language === 'zh'
    ? `${who}，${title}，${citationLink(paper)}。${note}${values === '' ? '' : `数值：${values}。`}`
    : `${who}, “${title}”, ${citationLink(paper)}. ${note}${values === '' ? '' : ` Values: ${values}.`}`;
}

/** A table of the values, and under it by how much they differ. */
export function comparisonTable(comparison: Comparison, language: Language): string {
  const { name, values, differences } = comparison;
  const symbol = values.find(({ quantity }) => quantity.symbol !== undefined)?.quantity.symbol;
  const heading = `**${plainText(quantityName(name, language))}**${symbol === undefined ? '' : ` (${symbol})`}`;
  const rows = values.map(({ paper, quantity }) => [
    latexValue(quantity.value),
    plainText(quantity.method ?? '—'),
    citation(paper, language),
  ]);
  const listed = differences.slice(0, MAX_DIFFERENCES).map((one) => `- ${differenceText(one, language)}`);
  return [heading, table(ANSWER_TEXTS[language].columns, rows), listed.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

const MAX_DIFFERENCES = 3;
/** Values that differ by less agree. */
const NOTABLE_SIGMA = 2;

function comparisonText({ name, values, differences }: Comparison, language: Language): string {
  const quantity = plainText(quantityName(name, language));
  const works = new Set(values.map(({ paper }) => paper.id)).size;
  const [widest] = differences;
  if (widest === undefined) {
    return language === 'zh'
      ? `**${quantity}**：${works} 篇给出数值，但误差不全，无法计算差异。`
      : `**${quantity}**: ${works} works give a value, but too few give an error to say how far they differ.`;
  }
  const notable = differences.filter(({ sigma }) => sigma >= NOTABLE_SIGMA).length;
  const agree = notable === 0;
  return language === 'zh'
    ? `**${quantity}**：读取的 ${works} 篇给出数值，${agree ? '彼此在 2σ 内一致，差异最大的一对' : `${differences.length} 对中有 ${notable} 对相差 2σ 以上，最大`}为 ${differenceText(widest, language)}`
    : `**${quantity}**: ${works} of the works read give a value; ${agree ? 'they agree within 2σ, and the widest pair is' : `${notable} of ${differences.length} pairs differ by 2σ or more, the widest being`} ${differenceText(widest, language)}`;
}

function differenceText({ low, high, sigma }: Difference, language: Language): string {
  const side = ({ paper, quantity }: ComparedValue) =>
    language === 'zh'
      ? `${latexQuantity(quantity)}（${citation(paper, language)}）`
      : `${latexQuantity(quantity)} (${citation(paper, language)})`;
  const apart = `**${sigma.toFixed(1)}σ**`;
  return language === 'zh'
    ? `${side(high)}与 ${side(low)}，相差 ${apart}。`
    : `${side(high)} against ${side(low)}: ${apart}.`;
}

/** A sentence with its values and its source. */
function sourced(
  sentence: string,
  quantities: readonly PaperQuantity[],
  paper: PaperRecord,
  language: Language,
): string {
  const values = valuesText(quantities, language);
  return language === 'zh'
    ? `${sentence}${values === '' ? '' : `${values}。`}（${citation(paper, language)}）`
    : `${sentence}${values === '' ? '' : ` ${values}.`} (${citation(paper, language)})`;
}

/** Name, value with error and unit, method. */
function valuesText(quantities: readonly PaperQuantity[], language: Language): string {
  return quantities
    .map((quantity) => {
      const name = plainText(quantityName(quantity.name, language));
      const method = quantity.method === undefined ? '' : plainText(quantity.method);
      if (language === 'zh')
        return `${name} ${latexQuantity(quantity)}${method === '' ? '' : `（${method}）`}`;
      return `${name} ${latexQuantity(quantity)}${method === '' ? '' : ` (${method})`}`;
    })
    .join(language === 'zh' ? '；' : '; ');
}
