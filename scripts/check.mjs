/** `npm run check`: format and lint, types, import rules and cycles, core purity, file sizes, unused exports. All run; any fault fails. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const MAX_LINES = 300;

const STEPS = [
  ['format and lint', () => run('npx', ['biome', 'check', '.'])],
  ['types', () => run('npx', ['tsc', '-b'])],
  ['types of tests', () => run('npx', ['tsc', '-p', 'tsconfig.tests.json'])],
  ['imports', () => run('npx', ['depcruise', '--config', '.dependency-cruiser.cjs', 'packages'])],
  ['core is pure', coreIsPure],
  ['file sizes and marks', fileSizesAndMarks],
  ['unused exports', () => run('npx', ['knip'])],
];

let failed = false;
for (const [name, step] of STEPS) {
  const faults = step();
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const fault of faults) console.log(`     ${fault}`);
  failed ||= faults.length > 0;
}
process.exit(failed ? 1 : 0);

function run(command, args) {
  const result = spawnSync(command, ['--no-install', ...args], { encoding: 'utf8' });
  if (result.status === 0) return [];
  return `${result.stdout}\n${result.stderr}`.split('\n').filter((line) => line.trim() !== '');
}

function sources() {
  const listed = spawnSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'packages/*/src', 'bench', 'scripts', 'examples'],
    {
      encoding: 'utf8',
    },
  );
  return listed.stdout
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap((file) => {
      try {
        return [{ file, text: readFileSync(file, 'utf8') }];
      } catch {
        return []; // deleted, not yet committed
      }
    });
}

/** The compiler keeps I/O out of core (no DOM, no Node types); these compile and must not be there either. */
function coreIsPure() {
  const banned = [
    /\bDate\.now\b/,
    /\bnew Date\(\s*\)/,
    /\bMath\.random\b/,
    /\basync\b/,
    /\bPromise\b/,
    /\bprocess\./,
  ];
  return sources()
    .filter(({ file }) => file.startsWith('packages/core/src/') && !/\.test\.ts$|\/testing\//.test(file))
    .flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          !/^\s*(\*|\/\/|\/\*)/.test(line) && banned.some((pattern) => pattern.test(line))
            ? [`${file}:${index + 1}: ${line.trim()}`]
            : [],
        ),
    );
}

function fileSizesAndMarks() {
  return sources().flatMap(({ file, text }) => {
    const isTest = /\.test\.tsx?$/.test(file);
    const lines = text.split('\n').length - 1;
    const faults = [];
    if (!isTest && lines > MAX_LINES) faults.push(`${file}: ${lines} lines, more than ${MAX_LINES}`);
    if (file !== 'scripts/check.mjs' && /\b(TODO|FIXME|XXX|HACK)\b/.test(text))
      faults.push(`${file}: an unfinished mark`);
    return faults;
  });
}
