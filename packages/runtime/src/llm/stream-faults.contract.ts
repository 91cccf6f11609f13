/** Named faults of a provider's stream, each with its one typed outcome, whatever the dialect (reliability.md 2.6). */
import type { ErrorKind } from '@astroresearch/core';
import type { NeutralCall, NeutralReply, StreamDialect } from './stream-dialects.contract.ts';

export type StreamFault = {
  readonly name: string;
  /** The body as it comes from the network. */
  body(dialect: StreamDialect): string;
  readonly outcome: 'stop' | 'tool-calls' | 'length' | ErrorKind;
  /** All of the visible text; left out: not looked at. */
  readonly text?: string;
  /** Arguments of the calls, in order; left out: there must be none. */
  readonly calls?: readonly string[];
  /** Prompt tokens as reported; null: none may be. Left out: not looked at. */
  readonly promptTokens?: number | null;
  readonly headers?: Readonly<Record<string, string>>;
};

const SAID: NeutralReply = { text: ['All ', '星系 🔭.'] };
const TEXT = 'All 星系 🔭.';
const join = (pieces: readonly string[]) => pieces.join('');
const render = (reply: NeutralReply) => (dialect: StreamDialect) => join(dialect.render(reply));
const said = (change: (body: string) => string) => (dialect: StreamDialect) => change(render(SAID)(dialect));
const call = (pieces: readonly string[], fields: Partial<NeutralCall> = {}): NeutralCall => ({
  id: 'call_1',
  name: 'search',
  pieces,
  ...fields,
});
const calling = (calls: readonly NeutralCall[], finish: NeutralReply['finish'] = 'tool-calls') =>
  render({ calls, finish });

const whole = (name: string, body: StreamFault['body']): StreamFault => ({
  name,
  body,
  outcome: 'stop',
  text: TEXT,
});

const BYTES: readonly StreamFault[] = [
  whole(
    'CRLF line ends',
    said((body) => body.replaceAll('\n', '\r\n')),
  ),
  whole(
    'CR line ends',
    said((body) => body.replaceAll('\n', '\r')),
  ),
  whole(
    'data: without a space',
    said((body) => body.replaceAll('data: ', 'data:')),
  ),
  whole(
    'data over several lines',
    said((body) => body.replaceAll(',"', ',\ndata: "')),
  ),
  whole(
    'a byte order mark',
    said((body) => `\uFEFF${body}`),
  ),
  whole(
    'comments between events',
    said((body) => body.replaceAll('\n\n', '\n\n: ping\n\n')),
  ),
  whole(
    'ids, retries and unknown fields',
    said((body) => body.replaceAll('data:', 'id: 1\nretry: 5\nodd: x\ndata:')),
  ),
  whole(
    'empty lines without end',
    said((body) => body.replaceAll('\n\n', '\n\n\n\n\n')),
  ),
  whole(
    'no last empty line',
    said((body) => body.trimEnd()),
  ),
  whole(
    'bytes behind the end',
    said((body) => `${body}data: nonsense\n\n${body}`),
  ),
  whole(
    'garbage behind the reason',
    (dialect) => `${join(dialect.render({ ...SAID, done: false }))}data: {"a":NaN}\n\n`,
  ),
  whole('empty and null pieces', (dialect) => join(dialect.empty) + join(dialect.render(SAID))),
  whole('another model than asked for', render(SAID)),
  {
    name: 'half of a surrogate pair',
    body: (d) => render({ text: ['a', '\ud83d', 'b'] })(d),
    outcome: 'stop',
    text: 'a\ufffdb',
  },
  {
    name: 'a surrogate pair in two pieces',
    body: render({ text: ['a\ud83d', '\udd2d'] }),
    outcome: 'stop',
    text: 'a🔭',
  },
  {
    name: 'a piece of 10 MB',
    body: render({ text: ['x'.repeat(1e7)] }),
    outcome: 'stop',
    text: 'x'.repeat(1e7),
  },
  {
    name: 'the same token again and again',
    body: render({ text: Array<string>(5_000).fill('no ') }),
    outcome: 'stop',
  },
];

const ENDS: readonly StreamFault[] = [
  { name: 'an empty body', body: () => '', outcome: 'network' },
  {
    name: 'EOF before the reason',
    body: render({ ...SAID, finish: null, done: false }),
    outcome: 'network',
    text: TEXT,
  },
  { name: 'EOF behind the reason', body: render({ ...SAID, done: false }), outcome: 'stop', text: TEXT },
  { name: 'an end without a reason', body: render({ ...SAID, finish: null }), outcome: 'stop', text: TEXT },
  {
    name: 'EOF within an event',
    body: (d) => join(d.render(SAID).slice(0, -2)).slice(0, -9),
    outcome: 'network',
  },
  {
    name: 'EOF within arguments',
    body: render({ calls: [call(['{"q":'])], finish: null, done: false }),
    outcome: 'network',
  },
  {
    name: 'EOF behind whole arguments',
    body: render({ calls: [call(['{}'])], finish: null, done: false }),
    outcome: 'network',
  },
  {
    name: 'an end within arguments, without a reason',
    body: render({ calls: [call(['{"q":'])], finish: null }),
    outcome: 'length',
  },
  { name: 'the limit within arguments', body: calling([call(['{"q":"a'])], 'length'), outcome: 'length' },
  {
    name: 'the limit within text',
    body: render({ ...SAID, finish: 'length' }),
    outcome: 'length',
    text: TEXT,
  },
  { name: 'nothing but signs of life', body: (d) => join(d.empty), outcome: 'network' },
  {
    name: 'an error event first',
    body: (d) => d.error('overloaded_error', 'Overloaded'),
    outcome: 'overloaded',
  },
  {
    name: 'an error event behind text',
    body: (d) =>
      join(d.render({ ...SAID, finish: null, done: false })) + d.error('overloaded_error', 'Overloaded'),
    outcome: 'overloaded',
    text: TEXT,
  },
  {
    name: 'an error event behind a call',
    body: (d) =>
      join(d.render({ calls: [call(['{}'])], finish: null, done: false })) +
      d.error('rate_limit_error', 'Slow down'),
    outcome: 'rate_limited',
  },
  {
    name: 'an event that is no JSON',
    body: (d) => `data: {"cut\n\n${join(d.render(SAID))}`,
    outcome: 'server_error',
  },
  {
    name: 'a captive portal',
    body: () => '<html>Sign in</html>',
    headers: { 'content-type': 'text/html' },
    outcome: 'server_error',
  },
  {
    name: 'a page that says it is a stream',
    body: () => '<html>\n<p>Sign in</p>\n</html>',
    outcome: 'network',
  },
  {
    name: 'half a JSON answer',
    body: () => '{"choices":[',
    headers: { 'content-type': 'application/json' },
    outcome: 'server_error',
  },
  {
    name: 'an error as JSON',
    body: () => '{"error":{"type":"overloaded_error","message":"Busy"}}',
    headers: { 'content-type': 'application/json' },
    outcome: 'overloaded',
  },
];

const given = (name: string, written: string, pieces: readonly string[] = [written]): StreamFault => ({
  name: `arguments: ${name}`,
  body: calling([call(pieces)]),
  outcome: 'tool-calls',
  calls: [written],
});
const identified = (name: string, ids: readonly (string | null | undefined)[]): StreamFault => ({
  name: `ids: ${name}`,
  body: calling(ids.map((id, nth) => call([`{"n":${nth}}`], { id: id ?? null }))),
  outcome: 'tool-calls',
  calls: ids.map((_, nth) => `{"n":${nth}}`),
});
const long = `{"q":"${'y'.repeat(5_000_000)}"}`;

const CALLS: readonly StreamFault[] = [
  given('invalid JSON', '{q: 1,}'),
  given('text behind them', '{"q":1} and so on'),
  given('encoded twice', '"{\\"q\\":1}"'),
  given('empty', '', ['']),
  given('null', 'null'),
  given('a list', '[1]'),
  given('5 MB', long, long.match(/.{1,65536}/g) ?? []),
  given('keys twice', '{"q":1,"q":2}'),
  given('__proto__', '{"__proto__":{"a":1}}'),
  given('a character a piece', '{"q":"距离"}', [...'{"q":"距离"}']),
  identified('missing', [undefined, undefined]),
  identified('empty', ['', '']),
  identified('twice in one reply', ['same', 'same']),
  identified('one of an earlier message', ['earlier']),
  identified('300 characters', ['x'.repeat(300)]),
  identified('characters that no provider takes', ['a b\u0000é']),
  {
    name: 'gaps between indices',
    body: calling([call(['1'], { index: 3 }), call(['2'], { id: 'b', index: 9 })]),
    outcome: 'tool-calls',
    calls: ['1', '2'],
  },
  {
    name: 'indices out of order',
    body: calling([call(['2'], { index: 5 }), call(['1'], { id: 'b', index: 0 })]),
    outcome: 'tool-calls',
    calls: ['1', '2'],
  },
  {
    name: 'a tool that nobody has',
    body: calling([call(['{}'], { name: 'no such tool!' })]),
    outcome: 'tool-calls',
    calls: ['{}'],
  },
  {
    name: 'a call that ends with stop',
    body: calling([call(['{}'])], 'stop'),
    outcome: 'tool-calls',
    calls: ['{}'],
  },
];

const counted = (
  name: string,
  prompt: unknown,
  completion: unknown,
  promptTokens: number | null,
  cached?: unknown,
): StreamFault => ({
  name: `usage: ${name}`,
  body: render({ ...SAID, usage: { prompt, completion, cached } }),
  outcome: 'stop',
  text: TEXT,
  promptTokens,
});

const USAGE: readonly StreamFault[] = [
  { ...whole('usage: missing', render(SAID)), promptTokens: null },
  counted('zero', 0, 0, null),
  counted('negative', -5, 3, null),
  counted('a text', '12', '3', null),
  counted('null for NaN', Number.NaN, 3, null),
  counted('a fraction', 1.5, 3, null),
  counted('larger than any window', 9e9, 3, 9e9),
];

export const STREAM_FAULTS: readonly StreamFault[] = [...BYTES, ...ENDS, ...CALLS, ...USAGE];
