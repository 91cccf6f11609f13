/** A provider on the loopback interface, for the tests of the adapters: says the bytes it is told, keeps what it got. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export type LoopbackAnswer = {
  readonly status?: number;
  /** `content-type` is `text/event-stream` if none is given. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Each is written by itself. */
  readonly pieces: readonly (string | Uint8Array)[];
  /** `cut` tears the connection down, `hold` leaves it open and silent until `release`. Left out: the answer ends. */
  readonly ending?: 'end' | 'cut' | 'hold';
};

type LoopbackRequest = {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
  /** Resolves when nothing of this request is open any more, whoever ended it. */
  readonly closed: Promise<void>;
};

export type LoopbackProvider = {
  readonly baseUrl: string;
  readonly requests: readonly LoopbackRequest[];
  /** How many connections were made so far. */
  readonly connections: number;
  /** Answers are used up in order; a request without one gets a 500 that says so. */
  answer(...answers: readonly LoopbackAnswer[]): void;
  /** Ends the answers that are held. */
  release(): void;
  close(): Promise<void>;
};

export async function startLoopbackProvider(): Promise<LoopbackProvider> {
  const requests: LoopbackRequest[] = [];
  const answers: LoopbackAnswer[] = [];
  const held: http.ServerResponse[] = [];
  let connections = 0;

  const server = http.createServer(async (request, response) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const bytes: Uint8Array[] = [];
    for await (const piece of request) bytes.push(piece);
    const text = Buffer.concat(bytes).toString('utf8');
    requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text), closed });
    const answer = answers.shift() ?? { status: 500, pieces: ['{"error":"no answer is left"}'] };
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
    response.flushHeaders();
    for (const piece of answer.pieces) await written(response, piece);
    if (answer.ending === 'cut') response.destroy();
    else if (answer.ending === 'hold') held.push(response);
    else response.end();
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    get connections() {
      return connections;
    },
    answer(...more) {
      answers.push(...more);
    },
    release() {
      for (const response of held.splice(0)) response.end();
    },
    async close() {
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await ended;
    },
  };
}

/** Resolves when the piece went out, or cannot any more because the client has gone. */
function written(response: http.ServerResponse, piece: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(piece, () => resolve());
  });
}
