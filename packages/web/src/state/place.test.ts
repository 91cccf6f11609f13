/** Which session the page's address names. */
import { expect, it } from 'vitest';
import { createPlace } from './place.ts';

function placeAt(hash: string) {
  const location = { hash };
  let changed = () => {};
  const place = createPlace({
    location,
    onHashChange: (run) => {
      changed = run;
    },
  });
  return { place, location, changed: () => changed() };
}

it('reads the session out of the address, and none out of any other fragment', () => {
  expect(placeAt('#/sessions/a%20b').place.snapshot()).toBe('a b');
  for (const hash of ['', '#/', '#login=x', '#/sessions/', '#/sessions/a/b', '#/sessions/%E0%A4%A']) {
    expect(placeAt(hash).place.snapshot()).toBeNull();
  }
});

it('writes the session it goes to, and follows back and forward', () => {
  const { place, location, changed } = placeAt('');
  place.go('a/b');
  expect(location.hash).toBe('#/sessions/a%2Fb');
  expect(place.snapshot()).toBe('a/b');
  location.hash = '';
  changed();
  expect(place.snapshot()).toBeNull();
});
