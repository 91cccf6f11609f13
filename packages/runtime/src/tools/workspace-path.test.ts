import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from './tool.ts';
import { workspaceParts } from './workspace-path.ts';

const parts = (path: string) => workspaceParts(path, ['/work/space', '/link']);

describe('workspaceParts', () => {
  it.each([
    ['', []],
    ['.', []],
    ['/work/space', []],
    ['/work/space/', []],
    ['a/b.txt', ['a', 'b.txt']],
    ['./a//b/', ['a', 'b']],
    ['a/../b', ['b']],
    ['a\\b\\..\\c', ['a', 'c']],
    ['/work/space/a/b', ['a', 'b']],
    ['/link/a', ['a']],
    ['..a/...', ['..a', '...']],
    ['名 字.txt', ['名 字.txt']],
  ])('reads %j', (path, expected) => {
    expect(parts(path)).toEqual(expected);
  });

  it.each([
    '..',
    'a/../..',
    '..\\x',
    'a\\..\\..\\x',
    '/etc/hostname',
    '/work/spaceship/x',
    '/work/space/../x',
    '/work',
    '/',
    'C:\\Windows',
    'c:x',
    '\\\\server\\share',
    '//server/share',
    'a\0b',
  ])('refuses %j', (path) => {
    expect(() => parts(path)).toThrow(ToolError);
  });

  it('understands absolute paths of Windows inside the root', () => {
    expect(workspaceParts('C:\\data\\space\\a\\b.txt', ['C:\\data\\space'])).toEqual(['a', 'b.txt']);
    expect(() => workspaceParts('C:\\data\\spaces\\a', ['C:\\data\\space'])).toThrow(ToolError);
  });

  it('says what is wrong in both languages and shortens a long path', () => {
    try {
      parts(`../${'x'.repeat(5000)}`);
      expect.fail('was accepted');
    } catch (error) {
      const { texts } = error as ToolError;
      expect(texts.en).toContain('outside the workspace');
      expect(texts.zh).toContain('在工作区之外');
      expect(texts.en.length).toBeLessThan(500);
    }
  });

  it('gives no part that could climb, whatever the path', () => {
    const piece = fc.constantFrom('..', '.', '', 'a', '/', '\\', 'C:', '~', '%2e%2e', ' ', '…');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        try {
          for (const part of parts(pieces.join('/'))) expect(part).not.toMatch(/^\.{0,2}$|[/\\]/);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
    );
  });
});
