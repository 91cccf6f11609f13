/** A Chromium for the tests, and pages that remember every breach of the security policy. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `CHROMIUM_PATH` names another browser. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    headless: true,
    args: ARGUMENTS,
  });
}

export type Watched = {
  readonly page: Page;
  /** Security-policy violations, uncaught errors and console errors of the page, as text. */
  readonly complaints: string[];
  /** Addresses that the page asked for outside its own origin. */
  readonly foreign: string[];
};

/** A page with its own storage. Requests to other origins are noted and never leave. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  await page.exposeFunction('noteViolation', (text: string) => complaints.push(text));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      const note = (globalThis as unknown as { noteViolation: (text: string) => void }).noteViolation;
      note(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
    });
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // A refused call is reported by the browser itself, whatever the page makes of it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(`console: ${message.text()}`);
    }
  });
  await page.route('**/*', (route) => {
    if (new URL(route.request().url()).origin === new URL(url).origin) return route.continue();
    foreign.push(route.request().url());
    return route.abort();
  });
  await page.goto(url);
  return { page, complaints, foreign };
}

/** What axe finds serious or critical, with the elements that it means. */
export async function seriousAxeFindings(page: Page): Promise<readonly string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const found: unknown = await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | ')))`,
  );
  return found as readonly string[];
}
