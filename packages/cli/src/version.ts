/** The product's version, from the package file beside the code. */
import { readFileSync } from 'node:fs';

export function readVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(file) as { version: string };
  return version;
}
