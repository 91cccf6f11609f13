/** Addresses that lead somewhere harmless, and all others. */
import { expect, it } from 'vitest';
import { hostOf, safeAddress } from './safe-address.ts';

it('lets web and mail addresses through', () => {
  for (const address of ['https://arxiv.org/abs/1', 'http://example.org', 'mailto:a@b.c', '#note-1']) {
    expect(safeAddress(address)).toBe(address);
  }
});

it('stops every other one', () => {
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://x/y',
    'file:///etc/passwd',
    '/api/sessions',
    '//evil.example',
    'api',
  ]) {
    expect(safeAddress(address)).toBe('');
  }
});

it('shows the host that the browser would ask', () => {
  expect(hostOf('https://arxiv.org@evil.example/abs')).toBe('evil.example');
});
