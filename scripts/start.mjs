/** `npm start`: builds what is missing, then becomes the server (no npm or shell stays between it and its signals). */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = ['packages/cli/dist/main.js', 'packages/web/dist/index.html'];
if (!built.every((file) => existsSync(`${root}/${file}`))) {
  const build = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
process.argv = [
  process.argv[0],
  `${root}/packages/cli/bin/astroresearch.js`,
  'serve',
  ...process.argv.slice(2),
];
await import('../packages/cli/bin/astroresearch.js');
