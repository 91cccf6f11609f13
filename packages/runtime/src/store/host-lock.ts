/** Keeps two machines off one database file: over a network file system SQLite's own locks do not hold. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { StoreError } from './store.ts';

/** `boot`: the running kernel, the same in all its containers; null where the system does not tell. */
export type Host = { readonly name: string; readonly boot: string | null };

const hostLockPath = (path: string): string => `${path}.host`;

export function thisHost(): Host {
  return { name: hostname(), boot: bootId() };
}

/** Throws `StoreError` where another machine has the database open, or died with it open. Changes nothing. */
export function refuseOtherHost(path: string, host: Host): void {
  const other = readLock(path);
  if (other === null || isSame(other, host)) return;
  throw new StoreError(
    'busy',
    `${path} is open on the machine ${other.name}, and this is ${host.name}: two machines cannot share a database file. Stop the program there. If it does not run there any more, delete ${hostLockPath(path)} and start again.`,
  );
}

export function takeHostLock(path: string, host: Host): void {
  writeFileSync(hostLockPath(path), JSON.stringify(host), { mode: 0o600 });
}

/** After the connection was closed: SQLite removes its `-wal` file with the last one of this machine. */
export function releaseHostLock(path: string): void {
  if (!existsSync(`${path}-wal`)) rmSync(hostLockPath(path), { force: true });
}

/** Null: no lock, or one that was never written whole. */
function readLock(path: string): Host | null {
  try {
    const { name, boot } = JSON.parse(readFileSync(hostLockPath(path), 'utf8'));
    return typeof name === 'string' ? { name, boot: typeof boot === 'string' ? boot : null } : null;
  } catch {
    return null;
  }
}

function isSame(a: Host, b: Host): boolean {
  return a.name === b.name || (a.boot !== null && a.boot === b.boot);
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
