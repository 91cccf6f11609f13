/** Text of records made safe to stand in Markdown; formulas stay as they are. */

/** `Sgr A*` keeps its star; what stands between dollar signs is LaTeX and untouched. */
export function plainText(text: string): string {
  return text
    .split(/(\$[^$\n]+\$)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/[\\`*_[\]<>|]/g, String.raw`\$&`)))
    .join('');
}

/** The same in a table's cell, where a bar ends the cell whatever stands around it. */
function cell(markdown: string): string {
  return markdown.replace(/(?<!\\)\|/g, '\\|').replace(/\n/g, ' ');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Pieces that end with a sentence or a line; joined they are the text. */
export function streamPieces(text: string): readonly string[] {
  return text.split(/(?<=[。！？；\n]|[.!?;]\s)/).filter((piece) => piece !== '');
}
