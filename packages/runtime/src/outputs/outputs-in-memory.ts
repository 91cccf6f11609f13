/** The output store without a disk: for tests, demos and embedders that keep nothing. */
import { keptText, pageOf } from './kept-text.ts';
import type { OutputStore } from './output-store.ts';

export function createOutputsInMemory(): OutputStore {
  const outputs = new Map<string, Uint8Array>();
  return {
    async save(text) {
      const { bytes, ...saved } = keptText(text);
      outputs.set(saved.sha256, bytes);
      return saved;
    },
    async read(sha256, offsetChars, limitChars) {
      const bytes = outputs.get(sha256);
      return bytes === undefined ? { kind: 'missing' } : pageOf(bytes, offsetChars, limitChars);
    },
  };
}
