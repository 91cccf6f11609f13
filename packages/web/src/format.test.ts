/** Numbers and times as people read them. */
import { expect, it } from 'vitest';
import { dayOf, formatCount, formatDuration, formatUsd, spanMs } from './format.ts';
import { TEXTS } from './texts.ts';

it('writes durations with the unit that fits', () => {
  const written = [420, 1234, 12_600, 59_400, 83_000].map((ms) => formatDuration(ms, TEXTS.en));
  expect(written).toEqual(['420 ms', '1.2 s', '13 s', '59 s', '1 min 23 s']);
  expect(formatDuration(83_000, TEXTS.zh)).toBe('1 分 23 秒');
});

it('groups counts and shortens millions', () => {
  expect(formatCount(12_400, 'en')).toBe('12,400');
  expect(formatCount(1_240_000, 'en')).toMatch(/^1\.2\s?[mM]$/);
});

it('writes dollars to the cent, and less by the figures that count', () => {
  const written = [1.234, 0.25, 0.01234, 0.000_056].map((usd) => formatUsd(usd, 'en'));
  expect(written).toEqual(['US$1.23', 'US$0.25', 'US$0.012', 'US$0.000056']);
});

it('tells today, yesterday and earlier by the calendar, not by hours', () => {
  const now = new Date(2026, 0, 2, 0, 30).getTime();
  const at = (...time: [number, number, number, number, number]) => new Date(...time).toISOString();
  expect(dayOf(at(2026, 0, 2, 0, 10), now)).toBe('today');
  expect(dayOf(at(2026, 0, 1, 23, 50), now)).toBe('yesterday');
  expect(dayOf(at(2025, 11, 31, 23, 0), now)).toBe('earlier');
  expect(dayOf('', now)).toBe('earlier');
});

it('knows no span where a time is missing', () => {
  expect(spanMs('2026-01-01T00:00:00Z', '2026-01-01T00:00:02Z')).toBe(2000);
  expect(spanMs('', '2026-01-01T00:00:02Z')).toBeNull();
});
