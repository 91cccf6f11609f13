// biome-ignore-all lint/performance/useDomNodeTextContent: what a reader sees is compared, formulas rendered.
/** The page on the built server, offline and without a key: what a new user sees. `PICTURES=1` renews docs/pictures. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium, openPage, seriousAxeFindings, type Watched } from '../../web/test/browser.ts';
import { newFolder, type Process, start } from './command-line.ts';

const PICTURES = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const CHINESE = { locale: 'zh-CN', colorScheme: 'dark' } as const;
const ENGLISH = { locale: 'en-GB', colorScheme: 'light' } as const;

let browser: Browser;
let server: Process;
let loginUrl = '';

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A server of its own for each test: a login link opens once. */
async function serve(): Promise<void> {
  server = start(['serve', '--port', '0'], newFolder());
  loginUrl = (await server.printed('#login=')).match(/http:\S+#login=\S+/)?.[0] ?? '';
}

async function open(options: BrowserContextOptions): Promise<Watched> {
  await serve();
  const watched = await openPage(browser, loginUrl, options);
  watched.page.setDefaultTimeout(15_000);
  return watched;
}

async function close({ page, complaints, foreign }: Watched): Promise<void> {
  await page.context().close();
  server.child.kill('SIGTERM');
  await server.ended;
  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
}

async function ask(page: Page, question: string): Promise<void> {
  const ends = await page.locator('.turn-end').count();
  await page.getByRole('textbox', { name: /Your question|你的问题/ }).fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.turn-end').nth(ends).waitFor();
}

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== '1') return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}${name}.png` });
}

describe('a new user with the login link', () => {
  it('gets a cited answer about NGC 1068 in Chinese and sees what the agent did', async () => {
    const watched = await open(CHINESE);
    const { page } = watched;
    await ask(page, 'NGC 1068 是否为中微子源？距离用哪个值？');
    const answer = page.locator('.row-answer').last();
    expect(await answer.innerText()).toMatch(/\p{Script=Han}/u);
    expect(await answer.getByRole('link').count()).toBeGreaterThan(2);
    expect(await answer.locator('.katex-error').count()).toBe(0);
    expect(await page.locator('.tool', { hasText: 'search_papers' }).count()).toBeGreaterThan(0);
    await picture(page, 'conversation-zh-dark');
    expect(await seriousAxeFindings(page)).toEqual([]);
    await close(watched);
  });

  it('gets a cited answer about the Hubble tension in English, still there after a reload', async () => {
    const watched = await open(ENGLISH);
    const { page } = watched;
    await ask(page, 'How large is the Hubble tension, and which measurements disagree?');
    const answer = page.locator('.row-answer').last();
    await answer.locator('.katex').first().waitFor();
    const text = await answer.innerText();
    expect(text).toContain('73.04');
    await picture(page, 'conversation-en-light');
    await page.reload();
    await page.locator('.turn-end').waitFor();
    await page.locator('.row-answer .katex').first().waitFor();
    expect(await page.locator('.row-answer').last().innerText()).toBe(text);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await close(watched);
  });
});
