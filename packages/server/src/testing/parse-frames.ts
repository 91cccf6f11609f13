/** Reads an event stream as the HTML standard says, for tests: comments and `retry` are passed over. */

export type ParsedFrame = {
  readonly id: string | null;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export function parseFrames(text: string): readonly ParsedFrame[] {
  const frames: ParsedFrame[] = [];
  let id: string | null = null;
  let event = 'message';
  let data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) frames.push({ id, event, data: JSON.parse(data.join('\n')) });
      id = null;
      event = 'message';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') id = value;
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return frames;
}
