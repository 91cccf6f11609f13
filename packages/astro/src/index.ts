/** Public surface of `@astroresearch/astro`: what knows. */
export * from './astronomer.ts';
export { createModel } from './astronomer.ts';
