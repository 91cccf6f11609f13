import { describe, expect, it } from 'vitest';
import { createShelf } from './shelf.ts';
import { shippedWorks } from './shipped-works.ts';

const shelf = createShelf(shippedWorks());

describe('shelf', () => {
  it.each([
    '2112.04510',
    'arXiv:2112.04510v3',
    'https://arxiv.org/abs/2112.04510',
    '2022ApJ...934L...7R',
    '10.3847/2041-8213/AC5C5B',
    'https://doi.org/10.48550/arXiv.2112.04510',
    '2021arXiv211204510R',
  ])('finds one work by %s', (id) => {
    expect(shelf.byId(id)?.title).toContain('SH0ES Team');
  });

  it('finds every work by each of its identifiers', () => {
    for (const work of shelf.works) {
      for (const id of [work.id, work.arxiv_id, work.bibcode, work.doi]) {
        if (id !== undefined) expect(shelf.byId(id)).toBe(work);
      }
    }
  });

  it.each(['', 'Riess 2022', '2601.99999', '10.1000/nothing', '1999ApJ...999L..99Z'])(
    'has nothing for %j',
    (id) => {
      expect(shelf.byId(id)).toBeNull();
    },
  );
});
