/** What every output store promises; each store's own test file runs this suite on it. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_KEPT_OUTPUT_BYTES, type OutputStore } from './output-store.ts';

export function describeOutputStore(name: string, create: () => Promise<OutputStore>): void {
  describe(`${name} as an output store`, () => {
    it('gives back what was saved, named by its content', async () => {
      const store = await create();
      const text = '星表 🪐\nline\n';
      const sha256 = createHash('sha256').update(text).digest('hex');
      expect(await store.save(text)).toEqual({ sha256, chars: 10, lostChars: 0 });
      expect(await store.save(text)).toEqual({ sha256, chars: 10, lostChars: 0 });
      expect(await store.read(sha256, 0, 1000)).toEqual({ kind: 'page', text, totalChars: 10 });
    });

    it('gives any text back in pages that split no character', async () => {
      const store = await create();
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.integer({ min: 1, max: 9 }),
          async (text, size) => {
            const { sha256, chars } = await store.save(text);
            let joined = '';
            for (let offset = 0; offset < chars; offset += size) {
              const page = await store.read(sha256, offset, size);
              if (page.kind !== 'page') return expect.fail(page.kind);
              expect(page.text.isWellFormed()).toBe(true);
              expect([...page.text].length).toBe(Math.min(size, chars - offset));
              joined += page.text;
            }
            expect(joined).toBe(text.toWellFormed());
          },
        ),
        { numRuns: 60 },
      );
    });

    it('has an empty page past the end and before the start', async () => {
      const store = await create();
      const { sha256 } = await store.save('abc');
      expect(await store.read(sha256, 3, 10)).toEqual({ kind: 'page', text: '', totalChars: 3 });
      expect(await store.read(sha256, -5, 2)).toEqual({ kind: 'page', text: 'ab', totalChars: 3 });
      expect(await store.read(sha256, 1, 0)).toEqual({ kind: 'page', text: '', totalChars: 3 });
    });

    it.each(['0'.repeat(64), '', '../../etc/passwd', '0'.repeat(63), 'Z'.repeat(64)])(
      'has nothing under %j',
      async (sha256) => {
        const store = await create();
        await store.save('something');
        expect(await store.read(sha256, 0, 10)).toEqual({ kind: 'missing' });
      },
    );

    it('keeps ten megabytes of a larger text and says in it how much is missing', async () => {
      const store = await create();
      const saved = await store.save(`x${'星'.repeat(3_400_000)}`);
      expect(saved.lostChars).toBe(66_667);
      const page = await store.read(saved.sha256, saved.chars - 200, 200);
      expect(page).toMatchObject({ kind: 'page', text: expect.stringContaining('66667 个字符未保存') });
      expect(page).toMatchObject({
        text: expect.stringContaining('the other 66667 characters were not kept'),
      });
      const head = await store.read(saved.sha256, 0, 3_333_334);
      expect(head.kind === 'page' && Buffer.byteLength(head.text)).toBe(MAX_KEPT_OUTPUT_BYTES);
    });
  });
}
