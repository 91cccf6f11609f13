/** The parts of an answer that come from records: findings, works, comparisons. Every claim carries its work's link. */
import type { Language } from '@astroresearch/core';
import { quantityName } from '../language/quantity-name.ts';
import { authorsAndYear, citation, citationLink } from './citation.ts';
import { type ComparedValue, type Comparison, type Difference, NOTABLE_SIGMA } from './comparison.ts';
import type { Finding } from './findings.ts';
import { latexQuantity, latexSymbol, latexValue } from './latex-quantity.ts';
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

/** One work: who, when, what, where to find it, what the shelf says about it, those of its values that are not `told`. */
export function workText(paper: PaperRecord, told: ReadonlySet<PaperQuantity>, language: Language): string {
  const who = `**${plainText(authorsAndYear(paper, language))}**`;
  const note = plainText(paper.summary);
  const untold = paper.quantities.filter((quantity) => !told.has(quantity));
  const values = valuesText(untold, language);
  const title = plainText(paper.title);
  const { journal, volume, page } = paper;
  const place =
    journal === undefined ? '' : [journal, volume, page].filter((part) => part !== undefined).join(' ');
  return language === 'zh'
    ? `${who}，${title}，${place === '' ? '' : `${plainText(place)}，`}${citationLink(paper)}。${note}${values === '' ? '' : `数值：${values}。`}`
    : `${who}, “${title}”, ${place === '' ? '' : `${plainText(place)}, `}${citationLink(paper)}. ${note}${values === '' ? '' : ` Values: ${values}.`}`;
}

/** A table of the values, and under it by how much they differ. */
export function comparisonTable(comparison: Comparison, language: Language): string {
  const { name, values, differences } = comparison;
  const symbol = values.find(({ quantity }) => quantity.symbol !== undefined)?.quantity.symbol;
  const latex = symbol === undefined ? null : latexSymbol(symbol);
  const heading = `**${capitalised(plainText(quantityName(name, language)))}**${latex === null ? '' : ` $${latex}$`}`;
  const rows = values.map(({ paper, quantity }) => [
    latexValue(quantity.value),
    plainText(quantity.method ?? '—'),
    citation(paper, language),
  ]);
  const notable = differences.filter(({ sigma }) => sigma >= NOTABLE_SIGMA);
  const listed = differences
    .slice(0, Math.min(Math.max(notable.length, 1), MAX_DIFFERENCES))
    .map((one) => `- ${pairText(one, language)}`);
  return [heading, table(ANSWER_TEXTS[language].columns, rows), listed.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

const MAX_DIFFERENCES = 5;
function comparisonText({ name, values, differences, widest }: Comparison, language: Language): string {
  const quantity = capitalised(plainText(quantityName(name, language)));
  const works = new Set(values.map(({ paper }) => paper.id)).size;
  if (widest === null) {
    return language === 'zh'
      ? `**${quantity}**：${works} 篇给出数值，但误差不全，无法计算差异。`
      : `**${quantity}**: ${works} works give a value, but too few give an error to say how far they differ.`;
  }
  const notable = differences.filter(({ sigma }) => sigma >= NOTABLE_SIGMA).length;
  const pair = differenceText(widest, language);
  if (notable === 0) {
    return language === 'zh'
      ? `**${quantity}**：读取的 ${works} 篇给出数值，彼此在 2σ 内一致，例如 ${pair}`
      : `**${quantity}**: ${works} of the works read give a value, and they agree within 2σ, for example ${pair}`;
  }
  return language === 'zh'
    ? `**${quantity}**：读取的 ${works} 篇给出数值，${differences.length} 对中有 ${notable} 对相差 2σ 以上，首先是 ${pair}`
    : `**${quantity}**: ${works} of the works read give a value, and ${notable} of ${differences.length} pairs differ by 2σ or more, first of all ${pair}`;
}

/** Names only: the table above holds values and links. */
function pairText({ low, high, sigma }: Difference, language: Language): string {
  const [one, other] = [high, low].map(({ paper }) => plainText(authorsAndYear(paper, language)));
  return language === 'zh'
    ? `${one} 与 ${other}：${sigma.toFixed(1)}σ`
    : `${one} and ${other}: ${sigma.toFixed(1)}σ`;
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
    : `${sentence}${values === '' ? '' : ` ${capitalised(values)}.`} (${citation(paper, language)})`;
}

/** Name, value with error and unit; the method once for all values that share it. */
function valuesText(quantities: readonly PaperQuantity[], language: Language): string {
  const methods = [...new Set(quantities.map(({ method }) => method))];
  const [comma, semicolon] = language === 'zh' ? ['，', '；'] : [', ', '; '];
  return methods
    .map((method) => {
      const values = quantities
        .filter((quantity) => quantity.method === method)
        .map((quantity) => valueText(quantity, language))
        .join(comma);
      if (method === undefined) return values;
      return language === 'zh' ? `${values}（${plainText(method)}）` : `${values} (${plainText(method)})`;
    })
    .join(semicolon);
}

/** With the words of the paper, where the record keeps them. */
function valueText(quantity: PaperQuantity, language: Language): string {
  const value = `${plainText(quantityName(quantity.name, language))} ${latexQuantity(quantity)}`;
  if (quantity.quote === undefined) return value;
  return language === 'zh'
    ? `${value}，原文“${plainText(quantity.quote)}”`
    : `${value}, in its words “${plainText(quantity.quote)}”`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
