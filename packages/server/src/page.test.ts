import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpError } from './http-error.ts';
import { loadPage, type Page, pageResponse } from './page.ts';

let root: string;
let page: Page;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'page-'));
  const dist = join(root, 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(dist, 'favicon.svg'), '<svg/>');
  await writeFile(join(dist, 'assets', 'main-Ab3_x-9Z.js'), 'export {};');
  await writeFile(join(dist, 'assets', 'font-0aF93kQw.woff2'), Uint8Array.from([0, 255]));
  await writeFile(join(dist, 'assets', 'odd.xyz'), '?');
  await symlink(join(root, 'secret.txt'), join(dist, 'link.txt'));
  page = await loadPage(dist);
});
afterAll(() => rm(root, { recursive: true }));

async function get(path: string, ifNoneMatch?: string) {
  const response = pageResponse(page, path, ifNoneMatch);
  const { status, headers } = response;
  return {
    status,
    type: headers.get('content-type'),
    cache: headers.get('cache-control'),
    etag: headers.get('etag') ?? '',
    text: await response.text(),
  };
}

describe('page', () => {
  it('is served at / and asks to be checked each time', async () => {
    expect(await get('/')).toMatchObject({
      status: 200,
      type: 'text/html; charset=utf-8',
      cache: 'no-cache',
      text: '<!doctype html><title>page</title>',
    });
  });

  it.each([
    ['/assets/main-Ab3_x-9Z.js', 'text/javascript; charset=utf-8', true],
    ['/assets/font-0aF93kQw.woff2', 'font/woff2', true],
    ['/assets/odd.xyz', 'application/octet-stream', false],
    ['/favicon.svg', 'image/svg+xml', false],
  ])('serves %s as %s', async (path, type, immutable) => {
    const cache = immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
    expect(await get(path)).toMatchObject({ status: 200, type, cache });
  });

  it('answers 304 to who has the file already', async () => {
    const { etag } = await get('/');
    expect(await get('/', etag)).toMatchObject({ status: 304, text: '' });
    expect(await get('/favicon.svg', etag)).toMatchObject({ status: 200 });
  });

  const ways = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '..%252f',
    '%252e%252e/',
    '..;/',
    '.%00./',
  ];
  const prefixes = ['/', '//', '/assets/', '/assets//', '/./'];
  it.each(prefixes.flatMap((prefix) => ways.map((way) => `${prefix}${way}secret.txt`)))(
    'does not leave its folder for %s',
    (path) => {
      expect(() => pageResponse(page, path, undefined)).toThrow(HttpError);
    },
  );

  it.each([
    '/link.txt',
    '/assets',
    '/assets/',
    '/index.html/',
    '/INDEX.HTML',
    '/etc/passwd',
    '',
    'index.html',
  ])('has nothing at %j', (path) => {
    expect(() => pageResponse(page, path, undefined)).toThrow(HttpError);
  });

  it('says how to build it where it was not built', async () => {
    const missing = await loadPage(join(root, 'nowhere'));
    const response = pageResponse(missing, '/', undefined);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain('npm run build');
    expect(() => pageResponse(missing, '/assets/main.js', undefined)).toThrow(HttpError);
  });
});
