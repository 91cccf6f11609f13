/** Generators for property tests. Not part of the public surface. */
export * from './arbitrary.ts';
