/** The `code` of a failed system call (`ENOENT` …), or null where an error carries none. */

export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
