import { PLANTED_FAULTS } from './scripts/planted-faults.mjs';
import base from './vitest.config.ts';

/** The invariants with one fault in the sources; see scripts/test-planted.mjs. */
const fault = PLANTED_FAULTS.find(({ name }) => name === process.env.PLANTED_FAULT);

export default {
  ...base,
  plugins: [{ name: 'planted-fault', enforce: 'pre', transform: plant }],
  test: {
    ...base.test,
    include: ['packages/core/src/compaction/*-invariants.test.ts'],
    env: { PROPERTY_RUNS: '250' },
    testTimeout: 120_000,
    fileParallelism: false,
  },
};

function plant(code, id) {
  if (fault === undefined) throw new Error('PLANT: set PLANTED_FAULT to the name of a fault');
  if (!id.split('?')[0].endsWith(fault.file)) return undefined;
  return [fault, ...(fault.also === undefined ? [] : [fault.also])].reduce((text, { find, put }) => {
    if (text.split(find).length !== 2)
      throw new Error(`PLANT: "${fault.name}" finds its place not exactly once in ${fault.file}`);
    return text.replace(find, () => put);
  }, code);
}
