/** A named piece of the system prompt (context.md 2). */

export type Section = {
  readonly name: 'identity' | 'principles' | 'tools' | 'skills' | 'memory';
  /** Static sections are the same for every session and come first, so that all share the longest prefix. */
  readonly kind: 'static' | 'dynamic';
  readonly text: string;
};
