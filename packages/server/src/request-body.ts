/** Takes in a request's body: JSON alone, at most 1 MiB (a session to import: lines, 25 MiB), checked before any route sees it (reliability.md T3, T15). */
import type { MiddlewareHandler } from 'hono';
import { HttpError } from './http-error.ts';
import { readJson } from './json-text.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** Of a session to import, which is a file of lines and no JSON document. */
const IMPORT_PATH = '/api/sessions/import';
const MAX_IMPORT_BYTES = 25 * 1024 * 1024;
const IMPORT_TYPES = ['application/json', 'application/x-ndjson', 'application/jsonl'];

/** Contract: after it, the body is empty, well-formed JSON or a file to import, and can be read again. */
export const requestBody: MiddlewareHandler = async (context, next) => {
  const { method, raw } = context.req;
  if (method === 'GET' || method === 'HEAD') return next();
  const isImport = context.req.path === IMPORT_PATH;
  const maxBytes = isImport ? MAX_IMPORT_BYTES : MAX_BODY_BYTES;
  if (Number(context.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const body = await readAtMost(raw.body, maxBytes);
  if (body === 'too-large') throw tooLarge(maxBytes);
  if (body.byteLength > 0) {
    const type = context.req.header('content-type') ?? '';
    if (isImport) checkType(type, IMPORT_TYPES);
    else checkJson(type, body);
  }
  const init: RequestInit = { method, headers: raw.headers };
  if (body.byteLength > 0) init.body = body;
  context.req.raw = new Request(context.req.url, init);
  return next();
};

function checkJson(contentType: string, body: Uint8Array): void {
  checkType(contentType, ['application/json']);
  const reading = readJson(body);
  if (reading.kind === 'value') return;
  const { at, message } = reading.fault;
  if (at === '') throw new HttpError('broken_json', message);
  throw new HttpError('bad_request', `${at}: ${message}`, { details: { faults: [{ path: at, message }] } });
}

/** None that a page of another origin could send without being asked first (T3). */
function checkType(contentType: string, allowed: readonly string[]): void {
  if (allowed.includes(contentType.split(';')[0]?.trim().toLowerCase() ?? '')) return;
  throw new HttpError('unsupported_media_type', `Send the body with content-type: ${allowed.join(' or ')}.`);
}

/** Counts while it reads, since a chunked body does not say its size. */
async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | 'too-large'> {
  if (body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.releaseLock();
      return 'too-large';
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** The connection closes after it: the rest of the body is not waited for. */
function tooLarge(maxBytes: number): HttpError {
  return new HttpError('body_too_large', `The body is over ${maxBytes} bytes. Send less.`, {
    headers: { connection: 'close' },
  });
}
