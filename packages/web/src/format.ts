/** Numbers and times as people read them, in their language. */
import type { Language } from '@astroresearch/core';
import type { Texts } from './texts.ts';

const LOCALES: Readonly<Record<Language, string>> = { zh: 'zh-CN', en: 'en-GB' };

/** `12,400` under a million; then `1.2M`. */
export function formatCount(count: number, language: Language): string {
  const compact = count >= 1_000_000;
  return new Intl.NumberFormat(LOCALES[language], {
    ...(compact ? { notation: 'compact', maximumFractionDigits: 1 } : {}),
  }).format(count);
}

/** US dollars: cents and above with two decimals, less with the first figures that count. */
export function formatUsd(usd: number, language: Language): string {
  const digits = usd >= 0.1 || usd === 0 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 2 };
  return new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency: 'USD', ...digits }).format(
    usd,
  );
}

export function formatDuration(durationMs: number, texts: Texts): string {
  if (durationMs < 1000) return texts.milliseconds(String(Math.round(durationMs)));
  const seconds = durationMs / 1000;
  if (seconds < 60) return texts.seconds(seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds)));
  const whole = Math.round(seconds);
  return texts.minutes(Math.floor(whole / 60), whole % 60);
}

/** Milliseconds between two ISO times; null where one of them is missing. */
export function spanMs(from: string, to: string): number | null {
  const span = Date.parse(to) - Date.parse(from);
  return Number.isNaN(span) || span < 0 ? null : span;
}

/** Time of day, with the date where it is not today. */
export function formatTime(iso: string, nowMs: number, language: Language): string {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return '';
  const day = dayOf(iso, nowMs) === 'today' ? {} : ({ month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat(LOCALES[language], { ...day, hour: '2-digit', minute: '2-digit' }).format(
    atMs,
  );
}

export type Day = 'today' | 'yesterday' | 'earlier';

/** By the reader's own calendar. */
export function dayOf(iso: string, nowMs: number): Day {
  const atMs = Date.parse(iso);
  if (Number.isNaN(atMs)) return 'earlier';
  const today = new Date(nowMs);
  const midnightMs = today.setHours(0, 0, 0, 0);
  if (atMs >= midnightMs) return 'today';
  const before = new Date(midnightMs);
  return atMs >= before.setDate(before.getDate() - 1) ? 'yesterday' : 'earlier';
}
