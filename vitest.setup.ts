/** How often a property is tried that does not say so itself, and from which seed; both come from the configuration. */
import fc from 'fast-check';

const runs = Number(process.env.PROPERTY_RUNS ?? 60);
const seed = process.env.PROPERTY_SEED;

fc.configureGlobal({
  numRuns: runs,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  // A planted fault need only be found, not be made small.
  endOnFailure: process.env.PLANTED_FAULT !== undefined,
});
