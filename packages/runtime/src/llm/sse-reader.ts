/** Bytes → the data of server-sent events; a character, a line and an event may be cut anywhere (field-reports.md L). */
import { createParser } from 'eventsource-parser';

/** The most that one event may hold, characters: room for a 10 MB piece, and a bound on memory. */
export const MAX_EVENT_CHARS = 16 * 1024 * 1024;

export type SseReader = {
  /** False: an event grew beyond the limit and nothing more can be read. */
  feed(bytes: Uint8Array): boolean;
  /** The last event, when the stream ended without the empty line behind it. */
  end(): void;
};

export type SseEvent = { readonly data: string; readonly event: string | undefined };

/**
 * Calls `onEvent` for each event, in order. One decoder serves the whole stream: a byte order mark goes, invalid
 * bytes become U+FFFD, CR, LF and CRLF all end a line at once. Comments and unknown fields are passed over, except
 * two ways in which servers report errors outside of `data`: an `error:` field, and a bare line of JSON.
 */
export function createSseReader(
  onEvent: (event: SseEvent) => void,
  maxEventChars: number = MAX_EVENT_CHARS,
): SseReader {
  const decoder = new TextDecoder('utf-8');
  let readable = true;
  let endedWithCr = false;

  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent: ({ data, event }) => onEvent({ data, event }),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') readable = false;
      else if (error.field === 'error') onEvent({ data: error.value ?? '', event: 'error' });
      else if (error.line?.startsWith('{')) onEvent({ data: error.line, event: undefined });
    },
  });

  /** The parser holds a CR at the end of a piece back; a lone CR is a line end too, so it becomes LF here. */
  const feedText = (text: string) => {
    if (text === '' || !readable) return;
    const lines = endedWithCr && text.startsWith('\n') ? text.slice(1) : text;
    endedWithCr = text.endsWith('\r');
    if (lines !== '') parser.feed(lines.includes('\r') ? lines.replace(/\r\n?/g, '\n') : lines);
  };

  return {
    feed(bytes) {
      feedText(decoder.decode(bytes, { stream: true }));
      return readable;
    },
    end() {
      feedText(decoder.decode());
      feedText('\n\n');
    },
  };
}
