/** Finding the ticket in what a person pastes. */
import { expect, it } from 'vitest';
import { ticketOf } from './login.ts';

it('finds the ticket in a login link, in a fragment and alone', () => {
  expect(ticketOf('http://127.0.0.1:8787/#login=abc_123-XYZ')).toBe('abc_123-XYZ');
  expect(ticketOf('#login=a%2Bb')).toBe('a+b');
  expect(ticketOf('  abcdefgh12345678\n')).toBe('abcdefgh12345678');
});

it('finds none in anything else', () => {
  for (const text of ['', 'http://127.0.0.1:8787/', '#/sessions/abc', 'two words here']) {
    expect(ticketOf(text)).toBeNull();
  }
});
