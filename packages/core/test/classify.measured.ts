/** Real refusals of providers, and what only looks like them: all of a folder of cases (reliability.md 4). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { classifyError } from '@astroresearch/core';
import { describe, expect, it } from 'vitest';

type Case = {
  readonly id: string;
  readonly status: number | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly expected_kind: string;
};

const read = (file: string) =>
  JSON.parse(readFileSync(path.resolve(process.env.CASES ?? '', file), 'utf8')) as readonly Case[];

describe('classifyError', () => {
  it.each(['provider_errors.json', 'provider_errors_traps.json'])('is right on all of %s', (file) => {
    const cases = read(file);
    expect(cases.length).toBeGreaterThan(20);
    const wrong = cases.flatMap(({ id, status, headers = {}, body, expected_kind }) => {
      const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      const { kind } = classifyError({ status, headers: given, body }, Date.now());
      return kind === expected_kind ? [] : [`${id}: ${kind}, not ${expected_kind}`];
    });
    expect(wrong).toEqual([]);
  });
});
