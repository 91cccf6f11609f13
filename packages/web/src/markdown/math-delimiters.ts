/** Brings the ways in which models write mathematics to the one that the renderer reads, and leaves prices alone. */

/** Code, where nothing is touched; then the delimiters. Alternatives are tried in this order at each place. */
const TOKEN =
  /(?<code>^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\k<fence>[`~]*[ \t]*$|$(?![\s\S]))|(?<ticks>`+)(?!`)[\s\S]*?[^`]\k<ticks>(?!`))|(?<escaped>\\\$)|(?<display>\\\[(?<displayed>[\s\S]+?)\\\])|(?<inline>\\\((?<inlined>[^\n]+?)\\\))|(?<double>\$\$[\s\S]*?\$\$)|(?<dollar>\$)/gm;

/**
 * `\(…\)` → `$…$`; `\[…\]` → `$$` on lines of their own; a single `$` that opens no formula (as in "from $5 to $10")
 * is escaped. A formula opens before something that is no space, and closes after something that is no space and
 * before something that is no digit.
 */
export function normaliseMath(text: string): string {
  let result = '';
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const groups = match.groups ?? {};
    result += text.slice(from, match.index);
    from = match.index + match[0].length;
    if (groups.displayed !== undefined) result += displayed(text, match.index, groups.displayed);
    else if (groups.inlined !== undefined) result += `$${groups.inlined.trim()}$`;
    else if (groups.dollar !== undefined) {
      const formula = formulaAt(text, match.index);
      result += formula ?? '\\$';
      if (formula !== null) from = match.index + formula.length;
    } else result += match[0];
    TOKEN.lastIndex = from;
  }
  return result + text.slice(from);
}

/** A formula on lines of its own, indented as the text that it stands in: in a list it stays in the list. */
function displayed(text: string, at: number, formula: string): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(lineStart, at);
  const indent = /^\s*$/.test(before) ? before : '';
  const lead = before.trim() === '' ? '' : '\n\n';
  return `${lead}$$\n${indent}${formula.trim()}\n${indent}$$\n${indent}`;
}

/** The whole `$…$` that begins at `at`; null where none does. */
function formulaAt(text: string, at: number): string | null {
  const formula = /^\$(?![\s$])(?:[^$\n\\]|\\[^\n]|\n(?!\s*\n))*?(?<![\s\\])\$(?!\d)/.exec(
    text.slice(at, at + 2000),
  );
  return formula?.[0] ?? null;
}
