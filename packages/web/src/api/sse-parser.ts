/** Reads server-sent events out of text that arrives in pieces cut anywhere (HTML standard, event stream format). */

export type SseFrame = {
  /** Null where the frame names none: a transient event. */
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
};

export type SseParser = {
  /** The frames that this piece completes, in order. */
  readonly push: (text: string) => readonly SseFrame[];
};

export function createSseParser(): SseParser {
  let rest = '';
  let atStart = true;
  let id: string | null = null;
  let event = '';
  let data: string[] = [];

  function readLine(line: string, frames: SseFrame[]): void {
    if (line === '') {
      if (data.length > 0)
        frames.push({ id, event: event === '' ? 'message' : event, data: data.join('\n') });
      id = null;
      event = '';
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    // A line that starts with a colon is a comment: the heartbeat.
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  }

  return {
    push(text) {
      const frames: SseFrame[] = [];
      let pending = rest + text;
      if (atStart && pending !== '') {
        atStart = false;
        pending = pending.replace(/^\uFEFF/, '');
      }
      // A carriage return at the end may be half of a line end: wait for the next piece.
      const complete = pending.endsWith('\r') ? pending.slice(0, -1) : pending;
      const lines = complete.split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + pending.slice(complete.length);
      for (const line of lines) readLine(line, frames);
      return frames;
    },
  };
}
