/** Calls as they leave, and faults as they come back. */
import { expect, it } from 'vitest';
import { ApiError, createClient } from './client.ts';

/** A client whose every call gets this answer; what was asked is kept. */
function clientFor(answer: () => Response) {
  const asked: Request[] = [];
  let signedOut = 0;
  const client = createClient({
    fetch: async (input, init) => {
      asked.push(new Request(new URL(String(input), 'http://page.test'), init));
      return answer();
    },
    onSignedOut: () => {
      signedOut += 1;
    },
  });
  return { client, asked, signedOut: () => signedOut };
}

it('names itself on every call and sends JSON', async () => {
  const { client, asked } = clientFor(() => Response.json({ session_id: 's1' }, { status: 201 }));
  await expect(client.json('/api/sessions', { method: 'POST', body: { title: '黑洞' } })).resolves.toEqual({
    session_id: 's1',
  });
  const request = asked[0];
  expect(request?.headers.get('x-astroresearch-client')).toBe('web');
  expect(request?.headers.get('content-type')).toBe('application/json');
  expect(await request?.json()).toEqual({ title: '黑洞' });
});

it("throws the server's code and message", async () => {
  const { client } = clientFor(() =>
    Response.json({ error: { code: 'turn_running', message: 'Wait for the turn.' } }, { status: 409 }),
  );
  await expect(client.json('/api/x')).rejects.toMatchObject({
    status: 409,
    code: 'turn_running',
    message: 'Wait for the turn.',
  });
});

it('makes an error out of an answer that is no JSON', async () => {
  const { client } = clientFor(
    () => new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' }),
  );
  await expect(client.json('/api/x')).rejects.toMatchObject({ status: 502, code: 'http_502' });
});

it('says when it is signed out', async () => {
  const { client, signedOut } = clientFor(() => new Response('', { status: 401 }));
  await expect(client.json('/api/x')).rejects.toBeInstanceOf(ApiError);
  expect(signedOut()).toBe(1);
});

it('turns a lost connection into an error of its own', async () => {
  const client = createClient({
    fetch: async () => {
      throw new TypeError('Failed to fetch');
    },
    onSignedOut: () => {},
  });
  await expect(client.json('/api/x')).rejects.toMatchObject({ status: 0, code: 'network' });
});
