/** The web page's files, read once and served from memory by exact path (reliability.md T25). */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { HttpError } from './http-error.ts';

/** Exact path → file. `null`: the page was not built. */
export type Page = ReadonlyMap<string, PageFile> | null;
type PageFile = {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly etag: string;
  /** Its name holds a hash of its content, so it never changes. */
  readonly immutable: boolean;
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const NOT_BUILT =
  'The web page is not built yet: run `npm run build`, then start again.\n网页尚未构建：请先运行 `npm run build`，再重新启动。\n';

/** Null where `folder` or its `index.html` does not exist. Symlinks and other than regular files are left out. */
export async function loadPage(folder: string): Promise<Page> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files = new Map<string, PageFile>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    files.set(name, pageFile(name, new Uint8Array(await readFile(path))));
  }
  const index = files.get('/index.html');
  if (index === undefined) return null;
  return files.set('/', index);
}

function pageFile(name: string, content: Uint8Array<ArrayBuffer>): PageFile {
  return {
    content,
    contentType: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    immutable: /^\/assets\/.+-[\w-]{8,}\.\w+$/.test(name),
  };
}

/** The file at exactly this path; throws `HttpError` where there is none. */
export function pageResponse(page: Page, path: string, ifNoneMatch: string | undefined): Response {
  if (page === null && path === '/') {
    return new Response(NOT_BUILT, { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  }
  const file = page?.get(path);
  if (file === undefined) throw new HttpError('not_found', `There is no page ${path}. Open /.`);
  const headers = {
    'content-type': file.contentType,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
  };
  if (ifNoneMatch === file.etag) return new Response(null, { status: 304, headers });
  return new Response(file.content, { headers });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
