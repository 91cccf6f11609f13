/** The page in a real Chromium, before the fake server: what a person does with it (ui.md). */
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium, openPage, seriousAxeFindings, type Watched } from './browser.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';
import type { FakeSession } from './fake-session.ts';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const QUESTION = 'What makes NGC 1068 a neutrino source, and how strong is the evidence?';
const QUESTION_ZH = 'NGC 1068 为什么会成为中微子源，证据有多强？';
const GATES = ['search', 'middle', 'end'];

let browser: Browser;
let server: FakeServer;
let opened: Watched[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
beforeEach(async () => {
  server = await startFakeServer(DIST);
});
afterEach(async () => {
  const complaints = opened.flatMap((one) => one.complaints);
  const foreign = opened.flatMap((one) => one.foreign);
  await Promise.all(opened.map(({ page }) => page.context().close()));
  opened = [];
  await server.close();
  // For every test: no breach of the security policy, no error, no request to anybody else.
  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
  expect(server.calls.filter((call) => call.client !== 'web')).toEqual([]);
});
afterAll(() => browser.close());

async function open(options: BrowserContextOptions = {}, path = '/'): Promise<Page> {
  const watched = await openPage(browser, server.url + path, options);
  opened.push(watched);
  watched.page.setDefaultTimeout(10_000);
  return watched.page;
}

async function ask(page: Page, question: string): Promise<FakeSession> {
  await page.getByRole('textbox', { name: /Your question|你的问题/ }).fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.question').last().waitFor();
  const session = server.sessions.get(page.url().split('/').at(-1) ?? '');
  if (session === undefined) throw new Error(`no session at ${page.url()}`);
  return session;
}

async function askToTheEnd(page: Page, question: string): Promise<FakeSession> {
  const session = await ask(page, question);
  for (const gate of GATES) session.open(gate);
  await page.locator('.turn-end').last().waitFor();
  return session;
}

describe('a question', () => {
  it('streams its answer and ends as formatted text with formulas, a table and links to the papers', async () => {
    const page = await open();
    const session = await ask(page, QUESTION);
    session.open('search');
    const answer = page.locator('.row-answer');
    await answer.waitFor();
    expect(await answer.getAttribute('data-streaming')).toBe('true');
    expect(await page.locator('.turn-end').count()).toBe(0);
    session.open('middle');
    session.open('end');
    await page.locator('.turn-end').waitFor();
    expect(await answer.getAttribute('data-streaming')).toBe('false');
    await answer.locator('.katex-display').waitFor();
    expect(await answer.locator('.katex').count()).toBeGreaterThan(5);
    expect(await answer.locator('.katex-display').count()).toBe(1);
    expect(await answer.locator('.katex-error').count()).toBe(0);
    expect(await answer.locator('table tr').count()).toBe(4);
    const paper = answer.getByRole('link', { name: '2022Sci...378..538I' });
    expect(await paper.getAttribute('href')).toBe(
      'https://ui.adsabs.harvard.edu/abs/2022Sci...378..538I/abstract',
    );
    expect(await paper.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await paper.getAttribute('target')).toBe('_blank');
    expect(await page.title()).toBe(`${QUESTION} · AstroResearch`);
  });

  it('shows tool calls with the results that belong to them, and folds the thought', async () => {
    const page = await open();
    const session = await ask(page, QUESTION);
    const search = page.locator('.tool', { hasText: 'search_ads' });
    await page.locator('.tool[data-status="running"]').waitFor();
    expect(
      await page.locator('.tool').evaluateAll((all) => all.map((one) => one.getAttribute('data-status'))),
    ).toEqual(['running', 'queued', 'queued']);
    for (const gate of GATES) session.open(gate);
    await page.locator('.turn-end').waitFor();
    expect(await search.getAttribute('data-status')).toBe('ok');
    expect(await search.locator('.fold-body').isVisible()).toBe(false);
    await search.locator('summary').click();
    expect(await search.locator('pre').allInnerTexts()).toEqual([
      expect.stringContaining('"query": "NGC 1068 neutrino emission"'),
      expect.stringContaining('2022Sci...378..538I'),
    ]);
    expect(await page.locator('.tool[data-status="error"]').textContent()).toContain('download_paper');
    const thought = page.locator('.thought');
    expect(await thought.locator('.fold-body').isVisible()).toBe(false);
    await thought.locator('summary').press('Enter');
    expect(await thought.locator('.fold-body').textContent()).toContain('two halves');
    expect(await page.locator('.plan li').count()).toBe(3);
  });

  it('is stopped by its button and keeps what had been written', async () => {
    const page = await open();
    const session = await ask(page, QUESTION);
    session.open('search');
    await page.locator('.row-answer').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('.turn-end').waitFor();
    expect(await page.locator('.turn-end').textContent()).toContain('Stopped');
    expect(await page.locator('.row-answer').textContent()).toContain('strongest steady neutrino source');
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(1);
  });

  it('goes on after a reload in the middle, without a word missing or doubled', async () => {
    const page = await open();
    const session = await ask(page, QUESTION);
    session.open('search');
    await page.locator('.row-answer').waitFor();
    await page.reload();
    await page.locator('.row-answer').waitFor();
    expect(await page.locator('.row-answer').getAttribute('data-streaming')).toBe('true');
    session.open('middle');
    session.open('end');
    await page.locator('.turn-end').waitFor();
    await page.locator('.katex-display').waitFor();
    const live = await page.locator('.column').textContent();
    await page.reload();
    await page.locator('.turn-end').waitFor();
    await page.locator('.katex-display').waitFor();
    expect(await page.locator('.column').textContent()).toBe(live);
    expect(await page.locator('.tool').count()).toBe(3);
  });

  it('survives cut connections and shows the same in a second tab', async () => {
    const first = await open();
    const session = await ask(first, QUESTION);
    session.open('search');
    await first.locator('.row-answer').waitFor();
    const second = await open({}, `/#/sessions/${session.id}`);
    await second.locator('.row-answer').waitFor();
    server.cutStreams();
    session.open('middle');
    session.open('end');
    for (const page of [first, second]) {
      await page.locator('.turn-end').waitFor();
      await page.locator('.katex-display').waitFor();
    }
    const [one, other] = await Promise.all(
      [first, second].map((page) => page.locator('.row-answer').textContent()),
    );
    expect(one).toBe(other);
    expect(await first.locator('.question').count()).toBe(1);
  });

  it('can be an example, and a follow-up stays in the same session', async () => {
    const page = await open();
    await page.getByRole('button', { name: /Hubble tension/ }).click();
    await page.locator('.turn-end').waitFor();
    await page.locator('.row-answer .katex').waitFor();
    await askToTheEnd(page, 'How far is it?');
    expect(await page.locator('.question').allInnerTexts()).toEqual([
      expect.stringContaining('Hubble'),
      'How far is it?',
    ]);
    expect(server.sessions.size).toBe(1);
  });

  it('tells what went wrong when the turn fails, and drops the half answer', async () => {
    const page = await open();
    await ask(page, 'please fail');
    await page.locator('.turn-end').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Check LLM_BASE_URL');
    expect(await page.locator('.column').textContent()).not.toContain('Half an answer');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await expect
      .poll(() => page.locator('.question').allInnerTexts())
      .toEqual(['please fail', 'please fail']);
  });
});

describe('the question box', () => {
  it('keeps the text of a failed send, also over a reload', async () => {
    const page = await open();
    server.fault = { status: 503, message: 'The server is shutting down. Send again in a minute.' };
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.fill('Do not lose me');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Send again in a minute.');
    expect(await box.inputValue()).toBe('Do not lose me');
    await page.reload();
    expect(await box.inputValue()).toBe('Do not lose me');
    server.fault = null;
    await box.press('Enter');
    await page.locator('.turn-end').waitFor();
    expect(await box.inputValue()).toBe('');
  });

  it('breaks the line with Shift+Enter and grows', async () => {
    const page = await open();
    const box = page.getByRole('textbox', { name: 'Your question' });
    const before = await box.evaluate((element) => element.clientHeight);
    await box.pressSequentially('one');
    await box.press('Shift+Enter');
    await box.pressSequentially('two');
    expect(await box.inputValue()).toBe('one\ntwo');
    expect(await box.evaluate((element) => element.clientHeight)).toBeGreaterThan(before);
    expect(server.sessions.size).toBe(0);
  });

  it('sends nothing while an input method composes', async () => {
    const page = await open({ locale: 'zh-CN' });
    const box = page.getByRole('textbox', { name: '你的问题' });
    await box.fill('中微子');
    await box.evaluate((element) => {
      const enter = { key: 'Enter', bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', { ...enter, isComposing: true }));
      element.dispatchEvent(new KeyboardEvent('keydown', { ...enter, keyCode: 229 }));
    });
    expect(await box.inputValue()).toBe('中微子');
    expect(server.calls.some((call) => call.method === 'POST')).toBe(false);
    await box.press('Enter');
    await page.locator('.question').waitFor();
  });

  it('does not send while a turn runs', async () => {
    const page = await open();
    await ask(page, QUESTION);
    await page.locator('.tool[data-status="running"]').waitFor();
    const box = page.getByRole('textbox', { name: 'Your question' });
    await box.fill('next');
    await box.press('Enter');
    expect(await box.inputValue()).toBe('next');
    expect(await page.locator('.composer-hint').textContent()).toContain('A turn is running');
  });
});

describe('sessions', () => {
  it('are searched, renamed in place and deleted after a question', async () => {
    const page = await open();
    await askToTheEnd(page, 'How far is NGC 253?');
    await page.getByRole('button', { name: 'New session' }).click();
    await askToTheEnd(page, 'How old is Vega?');
    const entries = page.locator('.session-title');
    await expect.poll(() => entries.allInnerTexts()).toEqual(['How old is Vega?', 'How far is NGC 253?']);

    await page.getByRole('searchbox').fill('Vega');
    await expect.poll(() => entries.allInnerTexts()).toEqual(['How old is Vega?']);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => entries.count()).toBe(2);

    await page.locator('.session').first().hover();
    await page.getByRole('button', { name: 'Rename: How old is Vega?' }).click();
    await page.getByRole('textbox', { name: 'Session title' }).fill('Age of Vega');
    await page.keyboard.press('Enter');
    await expect.poll(() => entries.first().textContent()).toBe('Age of Vega');
    await expect.poll(() => page.title()).toBe('Age of Vega · AstroResearch');

    await page.locator('.session').first().hover();
    await page.getByRole('button', { name: 'Delete: Age of Vega' }).click();
    const dialog = page.getByRole('dialog');
    expect(await seriousAxeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    expect(server.sessions.size).toBe(2);
    await page.locator('.session').first().hover();
    await page.getByRole('button', { name: 'Delete: Age of Vega' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => entries.allInnerTexts()).toEqual(['How far is NGC 253?']);
    expect(await page.getByRole('heading', { name: 'What shall we look into?' }).count()).toBe(1);
  });

  it('that do not exist say so', async () => {
    const page = await open({}, '/#/sessions/nowhere');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Start a new one' }).click();
    await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
  });
});

describe('signing in', () => {
  it('takes the ticket from the address, and leaves no trace of it there', async () => {
    server.ticket = 'ticket-12345678';
    const page = await open({}, '/#login=ticket-12345678');
    await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
    expect(page.url()).toBe(`${server.url}/`);
    await askToTheEnd(page, 'How far is it?');
  });

  it('asks for the login link when the server refuses, and goes on where it was', async () => {
    const page = await open();
    const session = await askToTheEnd(page, 'How far is it?');
    server.ticket = 'ticket-12345678';
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    const field = page.getByRole('textbox', { name: 'Login link or ticket' });
    await field.fill('nonsense here');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('no login link');
    await field.fill('ticket-wrong-wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('used already');
    await field.fill(`${server.url}/#login=ticket-12345678`);
    await page.keyboard.press('Enter');
    await page.locator('.turn-end').waitFor();
    expect(page.url()).toContain(session.id);
  });
});

describe('language and theme', () => {
  it('speaks the language of the browser until another is chosen', async () => {
    const page = await open({ locale: 'zh-CN' });
    await page.getByRole('heading', { name: '今天研究什么？' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByRole('button', { name: 'Switch to English' }).click();
    await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('answers a Chinese question with everything in Chinese around it', async () => {
    const page = await open({ locale: 'zh-CN' });
    await askToTheEnd(page, QUESTION_ZH);
    expect(await page.locator('.turn-end').textContent()).toContain('完成');
    expect(await page.locator('.chip').first().textContent()).toBe('完成');
    expect(await page.locator('.row-answer .katex-error').count()).toBe(0);
  });

  it('follows the system’s theme until one is chosen, which lasts', async () => {
    const page = await open({ colorScheme: 'dark' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
    const night = await ground();
    await page.emulateMedia({ colorScheme: 'light' });
    const day = await ground();
    expect(day).not.toBe(night);
    await page.getByRole('button', { name: 'Theme: as the system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await ground()).toBe(night);
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await ground()).toBe(night);
  });
});

describe('for everybody', () => {
  const looks: readonly (readonly [string, BrowserContextOptions])[] = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    [
      '390 px wide',
      { colorScheme: 'dark', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ],
  ];
  for (const [name, options] of looks) {
    it(`has no serious fault that axe can find, empty and full (${name})`, async () => {
      const page = await open(options);
      await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
      expect(await seriousAxeFindings(page)).toEqual([]);
      const session = await ask(page, QUESTION);
      await page.locator('.tool[data-status="running"]').waitFor();
      expect(await seriousAxeFindings(page)).toEqual([]);
      for (const gate of GATES) session.open(gate);
      await page.locator('.turn-end').waitFor();
      for (const summary of await page.locator('.fold > summary').all()) await summary.click();
      expect(await seriousAxeFindings(page)).toEqual([]);
    });
  }

  it('fits 390 px without sideways scrolling, with the panels in drawers', async () => {
    const page = await open({ viewport: { width: 390, height: 844 } });
    await askToTheEnd(page, QUESTION);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const column = page.locator('.scroll');
    expect(await column.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    const list = page.getByRole('navigation', { name: 'Sessions' });
    expect(await list.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show sessions' }).click();
    await expect.poll(() => list.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => list.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show plan and run' }).click();
    await expect.poll(() => page.locator('.plan').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Close panel' }).first().click();
    await expect.poll(() => page.locator('.plan').isVisible()).toBe(false);
  });

  it('works by keyboard alone: skip link, question, tool call', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'What shall we look into?' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the question box');
    await page.keyboard.press('Enter');
    await page.keyboard.type('NGC 1068?');
    await page.keyboard.press('Enter');
    await page.locator('.tool').first().waitFor();
    await page.locator('.tool summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.tool .fold-body').first().isVisible()).toBe(true);
    expect(await page.getByRole('status').allInnerTexts()).toContain('Running search_ads…');
  });
});

it('runs nothing and asks nobody, whatever a model or a tool writes', async () => {
  const page = await open();
  await askToTheEnd(page, 'hostile');
  for (const summary of await page.locator('.fold > summary').all()) await summary.click();
  const found = await page.evaluate(() => ({
    stolen: 'stolen' in globalThis,
    images: document.querySelectorAll('#root img, #root iframe, #root object, #root style, #root script')
      .length,
    addresses: [...document.querySelectorAll('#root a')].map((link) => link.getAttribute('href')),
    handlers: [...document.querySelectorAll('#root *')].filter((element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on')),
    ).length,
  }));
  expect(found).toMatchObject({ stolen: false, images: 0, handlers: 0 });
  expect(found.addresses.filter((address) => !address?.startsWith('https://evil.example/'))).toEqual([]);
  expect(await page.locator('.row-answer').last().textContent()).toContain(
    '<script>window.stolen = 1</script>',
  );
});

it('follows the answer to its end, unless its reader scrolled up', async () => {
  const page = await open({ viewport: { width: 1200, height: 520 } });
  const session = await ask(page, QUESTION);
  session.open('search');
  await page.locator('.row-answer').waitFor();
  const gap = () =>
    page
      .locator('.scroll')
      .evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await expect.poll(gap).toBeLessThan(2);
  await page.locator('.scroll').evaluate((element) => {
    element.scrollTop = 0;
  });
  const jump = page.getByRole('button', { name: 'Jump to the latest' });
  await jump.waitFor();
  session.open('middle');
  session.open('end');
  await page.locator('.turn-end').waitFor();
  expect(await page.locator('.scroll').evaluate((element) => element.scrollTop)).toBe(0);
  await jump.click();
  await expect.poll(gap).toBeLessThan(2);
});
