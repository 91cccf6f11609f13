import { expect, it } from 'vitest';
import { createTestApp, errorOf, TOKEN } from '../testing/test-app.ts';

const NDJSON = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-ndjson' };

it('exports a session and imports it again, with 201 and a report', async () => {
  const { call, raw, session } = createTestApp();
  const id = await session({ title: `about ${TOKEN}` });
  const file = await call('GET', `/api/sessions/${id}/export?format=jsonl`);
  expect(file.headers.get('content-type')).toContain('application/x-ndjson');
  const text = await file.text();
  expect(text).not.toContain(TOKEN);
  const made = await raw('POST', '/api/sessions/import', NDJSON, text);
  expect(made.status).toBe(201);
  const body = (await made.json()) as { session_id: string; title: string };
  expect(body).toMatchObject({
    title: 'about [redacted]',
    import: { format: 'jsonl', messages: 0, repairs: [], skipped: [] },
  });
  expect(body.session_id).not.toBe(id);
});

it('takes a file over the limit of other bodies, and none over 25 MiB', async () => {
  const { raw } = createTestApp();
  const line = (chars: number) => JSON.stringify({ role: 'user', content: 'x'.repeat(chars) });
  expect((await raw('POST', '/api/sessions/import', NDJSON, line(2 ** 21))).status).toBe(201);
  expect((await raw('POST', '/api/sessions/import', NDJSON, line(26 * 2 ** 20))).status).toBe(413);
});

it('refuses what it cannot read, names the line, and makes nothing', async () => {
  const { call, raw } = createTestApp();
  const broken = await raw('POST', '/api/sessions/import', NDJSON, '{"role":"user","content":"a"}\n{"role"');
  expect(await errorOf(broken)).toMatchObject({ status: 400, details: { line: 2 } });
  const plain = { ...NDJSON, 'content-type': 'text/plain' };
  expect((await raw('POST', '/api/sessions/import', plain, '{}')).status).toBe(415);
  expect((await raw('POST', '/api/sessions/import', NDJSON, new Uint8Array([0xff, 0xfe]))).status).toBe(400);
  expect((await call('GET', '/api/sessions/nobody/export')).status).toBe(404);
  const listed = (await (await call('GET', '/api/sessions')).json()) as { items: unknown[] };
  expect(listed.items).toEqual([]);
});
