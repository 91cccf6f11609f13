/** Answers to what never became a request: headers too large, too slow, or not HTTP (reliability.md T15). */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Writes the refusal and closes the connection; only closes it where an answer may be under way. */
export function refuseConnection(error: Error, socket: Duplex): void {
  const answered = 'bytesWritten' in socket && socket.bytesWritten !== 0;
  if (answered || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, message } = refusalOf('code' in error ? error.code : undefined);
  const body = JSON.stringify({ error: { code, message } });
  const headers = {
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...SECURITY_HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
}

function refusalOf(code: unknown): { status: number; code: string; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'headers_too_large', message: 'The headers are over 16 KiB. Send less.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'too_slow', message: 'The request came in too slowly. Send it again.' };
    default:
      return { status: 400, code: 'not_http', message: 'This is not an HTTP request. Send HTTP/1.1.' };
  }
}
