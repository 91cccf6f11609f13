/** Import rules: packages one way only, core's rooms in their order, no cycles (docs/architecture.md). */

const PACKAGES = {
  core: [],
  runtime: ['core'],
  astro: ['core', 'runtime'],
  server: ['core', 'runtime', 'astro'],
  web: ['core'],
  cli: ['core', 'runtime', 'astro', 'server'],
};

/** Left may be imported by right, never the reverse; rooms of one level do not import each other, except where listed. */
const ROOM_LEVELS = [
  ['message'],
  ['tokens'],
  ['models'],
  ['facts'],
  ['view'],
  ['budget'],
  ['files', 'breaker', 'watch', 'prompt', 'permission', 'memory'],
  ['compaction', 'recovery'],
  ['turn'],
  ['replay', 'metrics'],
];

const packageRules = Object.entries(PACKAGES).map(([name, allowed]) => ({
  name: `${name}-imports-only-${allowed.join('-') || 'nothing'}`,
  severity: 'error',
  from: { path: `^packages/${name}/src` },
  to: { path: '^packages/', pathNot: [name, ...allowed].map((other) => `^packages/${other}/`) },
}));

const roomRules = ROOM_LEVELS.flatMap((rooms, level) => {
  const above = ROOM_LEVELS.slice(level + 1).flat();
  return rooms.map((room) => ({
    name: `core-room-${room}-looks-down-only`,
    severity: 'error',
    from: { path: `^packages/core/src/${room}/`, pathNot: '\\.test\\.ts$' },
    to: {
      path: `^packages/core/src/(${[...above, ...rooms.filter((other) => other !== room)].join('|')})/`,
    },
  }));
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'core-has-no-dependencies',
      severity: 'error',
      from: { path: '^packages/core/src', pathNot: ['\\.test\\.ts$', '/testing/'] },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'] },
    },
    ...packageRules,
    ...roomRules,
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'dist'] },
    exclude: { path: ['/dist/', '/dist-types/', 'node_modules'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.css', '.svg'],
    },
  },
};
