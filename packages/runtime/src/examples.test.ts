/** The examples run as they stand. */
import { describe, expect, it } from 'vitest';
import { hello } from '../../../examples/hello.ts';

describe('examples/hello.ts', () => {
  it('answers with the result of its own tool', async () => {
    const lines: string[] = [];
    await hello((line) => lines.push(line));
    expect(lines).toContain('tool_result 1.30 pc');
    expect(lines).toContain('message Proxima Centauri is 1.30 pc away.');
    expect(lines.at(-1)).toBe('done');
  });
});
