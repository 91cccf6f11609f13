/** What may go wrong in a request → status and JSON body, in one table (api.md, HTTP; reliability.md 2.4). */
import { StoreError, type StoreErrorKind } from '@astroresearch/runtime';
import { HTTPException } from 'hono/http-exception';

/** Error `code` on the wire → HTTP status. */
const STATUS = {
  bad_request: 400,
  broken_json: 400,
  unauthorized: 401,
  wrong_origin: 403,
  missing_client_header: 403,
  not_found: 404,
  unknown_session: 404,
  method_not_allowed: 405,
  turn_running: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  wrong_host: 421,
  too_many_streams: 429,
  internal: 500,
  stopping: 503,
  store_busy: 503,
  store_full: 507,
  store_read_only: 503,
  store_corrupt: 503,
  store_newer_version: 503,
  session_taken_over: 409,
  store_failed: 503,
} as const;

export type HttpErrorCode = keyof typeof STATUS;

/** Thrown by whatever cannot answer; `app.ts` turns it into the answer. `message` tells the caller what to do. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: HttpErrorCode;
  readonly status: (typeof STATUS)[HttpErrorCode];
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: HttpErrorCode,
    message: string,
    options: {
      readonly details?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = STATUS[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** `{"error": {code, message, details?}}`, as every refusal is sent. */
export function errorResponse(error: HttpError): Response {
  const { code, message, details } = error;
  const body = { error: details === undefined ? { code, message } : { code, message, details } };
  return Response.json(body, { status: error.status, headers: error.headers });
}

/** Anything thrown in a request → the error that is sent. What we did not expect shows nothing of itself. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StoreError) return fromStore(error);
  if (error instanceof HTTPException) return fromHono(error);
  return new HttpError('internal', 'Something broke inside the server; its log says what. Try again.', {
    cause: error,
  });
}

const RETRY_AFTER_SECONDS = '2';

function fromStore(cause: StoreError): HttpError {
  const { code, message, retry } = storeAnswer(cause.kind);
  return new HttpError(code, message, {
    cause,
    headers: retry ? { 'retry-after': RETRY_AFTER_SECONDS } : {},
  });
}

function storeAnswer(kind: StoreErrorKind): { code: HttpErrorCode; message: string; retry: boolean } {
  switch (kind) {
    case 'busy':
      return {
        code: 'store_busy',
        message: 'The database is in use by another process; nothing was written. Send it again in a moment.',
        retry: true,
      };
    case 'full':
      return {
        code: 'store_full',
        message: 'The disk is full; nothing was written. Free some space, then send it again.',
        retry: false,
      };
    case 'read_only':
      return {
        code: 'store_read_only',
        message: 'The database cannot be written. Make its file and folder writable for the server.',
        retry: false,
      };
    case 'corrupt':
      return {
        code: 'store_corrupt',
        message: 'The database is damaged and was left untouched. Run `astroresearch doctor --db`.',
        retry: false,
      };
    case 'newer_version':
      return {
        code: 'store_newer_version',
        message: 'The database was written by a newer version. Update the server.',
        retry: false,
      };
    case 'fenced':
      return {
        code: 'session_taken_over',
        message: 'Another process drives this session now; nothing was written. Send it again in a moment.',
        retry: true,
      };
    case 'failed':
      return {
        code: 'store_failed',
        message:
          'The database failed; nothing was written. The server log says why; restart when it is mended.',
        retry: false,
      };
    default:
      return kind satisfies never;
  }
}

/** What the router's own validators throw: broken JSON and wrong media types. */
function fromHono(cause: HTTPException): HttpError {
  switch (cause.status) {
    case 400:
      return new HttpError('broken_json', 'The body is not JSON. Send one JSON object.', { cause });
    case 415:
      return new HttpError('unsupported_media_type', 'Send the body with content-type: application/json.', {
        cause,
      });
    default:
      return new HttpError('internal', 'The server log says what broke. Try again.', { cause });
  }
}

/** 404 for a session that is not there. */
export function unknownSession(sessionId: string): HttpError {
  return new HttpError(
    'unknown_session',
    `There is no session ${sessionId}. GET /api/sessions lists them, POST /api/sessions makes one.`,
    { details: { session_id: sessionId } },
  );
}
