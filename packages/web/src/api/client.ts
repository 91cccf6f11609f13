/** Calls the server (api.md, HTTP): same origin, cookie credentials, typed errors with the server's own message. */

/** The server answered with a fault (`status` ≥ 400), or no answer came (`status` 0, code `network`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly accept?: string;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

export type Client = {
  /** The response, its body unread. Throws `ApiError`; an abort by the caller's signal stays an abort. */
  readonly open: (path: string, call?: Call) => Promise<Response>;
  /** The response's JSON. */
  readonly json: (path: string, call?: Call) => Promise<unknown>;
};

export type ClientParts = {
  readonly fetch: typeof globalThis.fetch;
  /** A call met 401: the cookie is missing or too old. */
  readonly onSignedOut: () => void;
};

export function createClient({ fetch, onSignedOut }: ClientParts): Client {
  async function open(path: string, call: Call = {}): Promise<Response> {
    const response = await send(path, call);
    if (response.ok) return response;
    if (response.status === 401) onSignedOut();
    throw await faultOf(response);
  }

  async function send(path: string, call: Call): Promise<Response> {
    const { method = 'GET', body, accept = 'application/json', idempotencyKey, signal } = call;
    try {
      return await fetch(path, {
        method,
        credentials: 'same-origin',
        cache: 'no-store',
        headers: {
          accept,
          // No other origin can set this header without asking first: a guard against forged requests (T3).
          'x-astroresearch-client': 'web',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'network', error instanceof Error ? error.message : String(error));
    }
  }

  return {
    open,
    json: async (path, call) => {
      const response = await open(path, call);
      return response.status === 204 ? null : response.json();
    },
  };
}

async function faultOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const { code, message } = errorFields(text);
  return new ApiError(response.status, code ?? `http_${response.status}`, message ?? response.statusText);
}

function errorFields(text: string): { readonly code?: string; readonly message?: string } {
  try {
    const body: unknown = JSON.parse(text);
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    return {
      ...(typeof error.code === 'string' ? { code: error.code } : {}),
      ...(typeof error.message === 'string' ? { message: error.message } : {}),
    };
  } catch {
    return {};
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
