/**
 * The head of a Markdown file between two `---` lines: a small, strict part of YAML. `key: value`, quotes, lists in
 * brackets, and one level of nesting. What lies outside of that is refused with its line, never guessed at.
 */

export type FrontMatterValue = string | readonly string[];

export type FrontMatter =
  | {
      readonly kind: 'read';
      /** A key nested under another is joined with a dot: `when.keywords`. */
      readonly fields: ReadonlyMap<string, FrontMatterValue>;
      readonly body: string;
    }
  | { readonly kind: 'broken'; readonly reason: string };

const FIELD = /^( *)([\p{L}\p{N}_-]+):(?: +(.*)|)$/su;

export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') return broken('the first line must be ---');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0) return broken('the closing --- is missing');
  const fields = new Map<string, FrontMatterValue>();
  let parent: string | null = null;
  for (const [index, line] of lines.slice(1, end).entries()) {
    const where = `line ${index + 2}`;
    if (/^\s*(?:#.*)?$/s.test(line)) continue;
    const [, indent = '', name = '', rest = ''] = FIELD.exec(line) ?? [];
    if (name === '') return broken(`${where}: write it as "key: value"`);
    if (indent !== '' && parent === null)
      return broken(`${where}: indented, but the key above it has a value`);
    const key: string = indent === '' ? name : `${parent}.${name}`;
    if (fields.has(key)) return broken(`${where}: ${key} is there twice`);
    const value = parseValue(rest.trim());
    if (value === null) {
      return broken(`${where}: use plain text, "quoted text" or [a, b] on one line`);
    }
    if (indent === '') parent = value === '' ? name : null;
    if (value !== '' || indent !== '') fields.set(key, value);
  }
  return {
    kind: 'read',
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

/** The text of a file with these fields; `parseFrontMatter` gives them back. Values are single lines. */
export function formatFrontMatter(fields: ReadonlyMap<string, string>, body: string): string {
  const lines = [...fields].map(
    ([key, value]) => `${key}: ${isPlain(value) ? value : JSON.stringify(value)}`,
  );
  return `---\n${lines.join('\n')}\n---\n\n${body}\n`;
}

function broken(reason: string): FrontMatter {
  return { kind: 'broken', reason };
}

function parseValue(text: string): FrontMatterValue | null {
  if (!text.startsWith('[')) return parseScalar(text);
  const list = /^\[(.*)\](?:\s+#.*)?$/s.exec(text)?.[1];
  if (list === undefined) return null;
  if (list.trim() === '') return [];
  const items = list.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,"'[\]{}])+/g) ?? [];
  if (items.join(',') !== list) return null;
  const values = items.map((item) => parseScalar(item.trim()));
  return values.every((value) => value !== null && value !== '') ? values.map(String) : null;
}

function parseScalar(text: string): string | null {
  if (text.startsWith('"')) {
    const quoted = /^("(?:[^"\\]|\\.)*")(?:\s+#.*)?$/s.exec(text)?.[1];
    return quoted === undefined ? null : parseQuoted(quoted);
  }
  if (text.startsWith("'")) {
    const quoted = /^'((?:[^']|'')*)'(?:\s+#.*)?$/s.exec(text)?.[1];
    return quoted === undefined ? null : quoted.replaceAll("''", "'");
  }
  const plain = text.replace(/(?:^|\s+)#.*$/s, '');
  return /^[|>&*!%@`{}[\],]/.test(plain) || /^[-?:] /.test(plain) ? null : plain;
}

function parseQuoted(text: string): string | null {
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}

function isPlain(value: string): boolean {
  return /^[\p{L}\p{N}][^\p{Cc}]*$/u.test(value) && parseScalar(value) === value && value.trim() === value;
}
