/** One reply in neutral words, rendered as each dialect streams it: what the contract of stream faults damages. */

export type NeutralCall = {
  /** Left out: the dialect sends none. */
  readonly id?: string | null;
  readonly name: string;
  /** Fragments of the arguments, in order. */
  readonly pieces: readonly string[];
  readonly index?: number;
};

type NeutralUsage = {
  readonly prompt: unknown;
  readonly completion: unknown;
  readonly cached?: unknown;
};

export type NeutralReply = {
  readonly reasoning?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly NeutralCall[];
  readonly usage?: NeutralUsage;
  /** Null: the provider never says why it stopped. */
  readonly finish?: 'stop' | 'tool-calls' | 'length' | null;
  /** False: no last event that says the end. */
  readonly done?: boolean;
};

export type StreamDialect = {
  readonly provider: 'openai' | 'dashscope' | 'deepseek' | 'anthropic';
  /** Events, each with its empty line. */
  render(reply: NeutralReply): readonly string[];
  /** An error inside of the stream. */
  error(type: string, message: string): string;
  /** A sign of life that brings nothing. */
  readonly empty: readonly string[];
};

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

function openAiLike(provider: StreamDialect['provider']): StreamDialect {
  const delta = (fields: object, finish_reason: string | null = null) =>
    data({ id: 'c', model: 'renamed', choices: [{ index: 0, delta: fields, finish_reason }] });
  const reasons = { stop: 'stop', 'tool-calls': 'tool_calls', length: 'length' };
  return {
    provider,
    render: ({ reasoning = [], text = [], calls = [], usage, finish = 'stop', done = true }) => [
      delta({ role: 'assistant', content: '' }),
      ...reasoning.map((piece) => delta({ reasoning_content: piece })),
      ...text.map((piece) => delta({ content: piece })),
      ...calls.flatMap(({ id, name, pieces, index }, nth) => {
        const place = index ?? nth;
        const first = { index: place, id, type: 'function', function: { name, arguments: '' } };
        // DashScope goes on with an empty id, the others with none.
        const more = provider === 'dashscope' ? { id: '' } : {};
        const rest = pieces.map((piece) => ({ index: place, ...more, function: { arguments: piece } }));
        return [first, ...rest].map((call) => delta({ tool_calls: [call] }));
      }),
      ...(finish === null ? [] : [delta({}, reasons[finish])]),
      ...(usage === undefined
        ? []
        : [
            data({
              choices: [],
              usage: {
                prompt_tokens: usage.prompt,
                completion_tokens: usage.completion,
                prompt_tokens_details: { cached_tokens: usage.cached },
              },
            }),
          ]),
      ...(done ? ['data: [DONE]\n\n'] : []),
    ],
    error: (type, message) => data({ error: { type, message } }),
    empty: [
      delta({ role: 'assistant' }),
      data({ choices: [] }),
      data({ choices: [{ delta: null }] }),
      data({ choices: [{ delta: { content: null } }] }),
    ],
  };
}

const event = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

function block(index: number, start: object, deltas: readonly object[]): readonly string[] {
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
}

const ANTHROPIC: StreamDialect = {
  provider: 'anthropic',
  render({ reasoning = [], text = [], calls = [], usage, finish = 'stop', done = true }) {
    const reasons = { stop: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens' };
    const start =
      usage === undefined
        ? {}
        : { usage: { input_tokens: usage.prompt, cache_read_input_tokens: usage.cached } };
    const end = usage === undefined ? {} : { usage: { output_tokens: usage.completion } };
    const thoughts = reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }));
    const said = text.map((piece) => ({ type: 'text_delta', text: piece }));
    return [
      event('message_start', { message: { type: 'message', model: 'renamed', content: [], ...start } }),
      ...(thoughts.length === 0 ? [] : block(0, { type: 'thinking', thinking: '' }, thoughts)),
      ...(said.length === 0 ? [] : block(1, { type: 'text', text: '' }, said)),
      ...calls.flatMap(({ id, name, pieces, index }, nth) =>
        block(
          2 + (index ?? nth),
          { type: 'tool_use', id, name, input: {} },
          pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ),
      ),
      ...(finish === null
        ? []
        : [event('message_delta', { delta: { stop_reason: reasons[finish] }, ...end })]),
      ...(done ? [event('message_stop')] : []),
    ];
  },
  error: (type, message) => event('error', { error: { type, message } }),
  empty: [
    event('ping'),
    event('message_start', { message: { type: 'message', content: [] } }),
    event('content_block_start', { index: 0, content_block: null }),
    event('content_block_delta', { index: 0, delta: null }),
  ],
};

export const STREAM_DIALECTS: readonly StreamDialect[] = [
  openAiLike('openai'),
  openAiLike('dashscope'),
  openAiLike('deepseek'),
  ANTHROPIC,
];
