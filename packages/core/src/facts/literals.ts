/** Interim. */
const PATTERN =
  /https?:\/\/[^\s"'<>)\]}]+|[\w.+-]+@[\w-]+\.[\w.]+|《[^》]{1,60}》|「[^」]{1,60}」|[\w.@~-]*\/[\w./@~-]+|\b[\w-]+\.(?:ts|js|py|md|json|txt|csv|fits|pdf|html|yml|yaml|toml|c|h|cpp|go|rs|sh)\b|\b\d+\.\d{2,}\b|\b\d{4,}\b|\b\w*_\w+\b|\b[A-Za-z0-9&.-]*(?:[A-Za-z][0-9]|[0-9][A-Za-z])[A-Za-z0-9&.-]*\b|\b[a-z]+[A-Z]\w{5,}\b/g;
export function literalsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const match of text.replace(/\\[nrt"]/g, ' ').matchAll(PATTERN)) {
    const literal = match[0];
    if (literal.length >= 4 && literal.length <= 120) found.add(literal);
  }
  return [...found];
}
