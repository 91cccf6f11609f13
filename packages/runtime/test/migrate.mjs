/** A process that opens a database and dies while its schema moves: `node migrate.mjs FILE POINT VERSION`. */
const { openDatabase } = await import(new URL('../dist/store/sqlite-open.js', import.meta.url).href);
const [path, point, version] = process.argv.slice(2);
openDatabase(path, {
  passed: (passedPoint, passedVersion) => {
    if (passedPoint === point && String(passedVersion) === version) process.kill(process.pid, 'SIGKILL');
  },
});
