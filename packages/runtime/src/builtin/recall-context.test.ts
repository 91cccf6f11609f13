import type { Language } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecallOutcome } from '../recall/recall-types.ts';
import { createWorld, type Said } from '../recall/stored-session.contract.ts';
import { countCharacters } from '../tools/output.ts';
import { type ToolContext, ToolError } from '../tools/tool.ts';
import { recallContextTool } from './recall-context.ts';

type Asked = { readonly ref?: string; readonly query?: string; readonly offset?: number };

async function sessionOf(said: readonly Said[], { maxOutputChars = 400, language = 'en' as Language } = {}) {
  const world = createWorld();
  await world.put('s', said);
  const context = {
    recall: (request) => world.recall('s', { ...request, agentName: 'lead' }),
    maxOutputChars,
    language,
    signal: new AbortController().signal,
  } satisfies Partial<ToolContext>;
  const use = async (asked: Asked) =>
    (await recallContextTool.execute(asked, context as unknown as ToolContext)).text;
  return { ...world, use, context };
}

const long = Array.from({ length: 300 }, (_, index) => `line ${index}`).join('\n');

describe('recall_context', () => {
  it('gives pages that name what follows, within the limit', async () => {
    const { use } = await sessionOf([
      { role: 'user', text: 'read' },
      { role: 'tool', text: long, cut: 400 },
    ]);
    const first = await use({ ref: 'm2' });
    expect(first).toMatch(/^\[m2 · read_file · 0–170 of 2589\]\nline 0\nline 1\n/);
    expect(first).toMatch(/\[more: recall_context \{"ref":"m2","offset":170\}\]$/);
    expect(await use({ ref: 'm2', offset: 2580 })).toBe('[m2 · read_file · 2580–2589 of 2589]\n\nline 299');
  });

  it('gives hits with their refs and where they stand', async () => {
    const { use } = await sessionOf(
      [
        { role: 'user', text: 'what of line 150?' },
        { role: 'tool', text: long, cut: 400 },
      ],
      { maxOutputChars: 700 },
    );
    const text = await use({ query: '"line 150"' });
    expect(text).toMatch(/^\[m2 · read_file · \d+–\d+ of 2589\]\n/);
    expect(text).toContain('\n[m1 · user · 0–17 of 17]\nwhat of line 150?\n');
    expect(text).toContain('line 150\nline 151');
    expect(text).toMatch(/\n\[hits 1–2 of 2\]$/);
  });

  it('speaks the language of the session', async () => {
    const { use } = await sessionOf([{ role: 'user', text: '造父变星'.repeat(90) }], { language: 'zh' });
    expect(await use({ ref: 'm1' })).toMatch(/^\[m1 · user · 第 0–170 字符，共 360\]\n造父/);
    expect(await use({ ref: 'm1' })).toMatch(/\[续读：recall_context \{"ref":"m1","offset":170\}\]$/);
    expect(await use({ query: '变星' })).toMatch(/\[第 1–1 处，共 1 处\]$/);
    expect(await use({ query: '红移' })).toContain('没有找到');
    expect(await use({ query: '变星', offset: 3 })).toBe('只有 1 处，请减小 offset。');
  });

  it.each<[Asked, string]>([
    [{}, 'Give a ref, such as "m42" or "m4-m31", or a query of a few words.'],
    [{ ref: 'what was said' }, '"what was said" is no ref.'],
    [{ ref: 'm7' }, 'There is no m7 in this conversation; the nearest: m1.'],
    [{ ref: 'm1', offset: 9 }, 'offset 9 is past the end: m1 has 5 characters, counted from 0.'],
  ])('says what to do for %j', async (asked, text) => {
    const { use } = await sessionOf([{ role: 'user', text: 'hello' }]);
    const refused = await use(asked).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ToolError);
    const { texts } = refused as ToolError;
    expect(texts.en).toContain(text);
    expect(texts.zh).toMatch(/\p{Script=Han}/u);
  });

  it('says that an output is damaged, and finds nothing with advice', async () => {
    const world = await sessionOf([{ role: 'tool', text: long, cut: 400 }]);
    world.outputs.read = async () => ({ kind: 'damaged' });
    expect(await world.use({ ref: 'm1' })).toMatch(
      /^\[m1 · read_file · .* · whole is damaged, this is cut\]\n/,
    );
    expect(await world.use({ query: 'quasar' })).toContain('Use fewer or other words');
  });

  it('is never so long that it would be cut, whatever is stored and asked (property)', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('星系 🌌 quasar', long),
    );
    const said: fc.Arbitrary<Said> = fc.oneof(
      fc.record({ role: fc.constantFrom('user' as const, 'system' as const), text }),
      fc.record({
        role: fc.constant('tool' as const),
        text,
        cut: fc.constant(300),
        name: fc.string({ minLength: 1, maxLength: 90 }),
      }),
    );
    const request: fc.Arbitrary<Asked> = fc.oneof(
      fc.record({ ref: fc.constantFrom('m1', 'm1-m99', 'm2-m4'), offset: fc.nat({ max: 40 }) }),
      fc.record({ query: fc.constantFrom('quasar', '星系', 'line 7', 'o e a'), offset: fc.nat({ max: 3 }) }),
    );
    const limit = fc.integer({ min: 250, max: 4_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 1, maxLength: 12 }),
        request,
        limit,
        fc.constantFrom<Language>('zh', 'en'),
        async (all, asked, maxOutputChars, language) => {
          const { use } = await sessionOf(all, { maxOutputChars, language });
          const answer = await use(asked).catch((error: unknown) => {
            if (error instanceof ToolError) return error.texts[language];
            throw error;
          });
          expect(countCharacters(answer)).toBeLessThanOrEqual(maxOutputChars);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('passes on that nobody waits any more', async () => {
    const { context } = await sessionOf([{ role: 'user', text: 'hello' }]);
    const aborted = { ...context, signal: AbortSignal.abort(new Error('gone')) };
    const use: Promise<unknown> = recallContextTool.execute(
      { query: 'hello' },
      aborted as unknown as ToolContext,
    );
    await expect(use).rejects.toThrow('gone');
  });

  it('asks for no agent or session of its own choosing', async () => {
    const asked: unknown[] = [];
    const recall = async (request: unknown): Promise<RecallOutcome> => {
      asked.push(request);
      return { kind: 'found', items: [], next: null };
    };
    const { context } = await sessionOf([]);
    await recallContextTool.execute({ ref: 'm1' }, { ...context, recall } as unknown as ToolContext);
    expect(Object.keys(asked[0] as object).sort()).toEqual(['itemChars', 'limitChars', 'ref', 'signal']);
  });
});
