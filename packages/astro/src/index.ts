/** Public surface of `@astroresearch/astro`: what knows. */
export * from './astronomer.ts';
export * from './profile.ts';
