/** The workspace folder as tools see it: paths relative to its root, nothing outside it (reliability.md T6). */

export type WorkspaceEntry = {
  /** Relative to the workspace, `/` between the parts. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly bytes: number;
};

/**
 * Contract: every method throws `ToolError`, in words for the model, where a path is absolute outside the root,
 * climbs out by `..` or through a symlink, names a device or does not exist.
 */
export type WorkspaceFiles = {
  /** Raw content; refuses more than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Replaces or makes the file, whole or not at all; makes missing folders. */
  write(path: string, content: string): Promise<{ readonly bytes: number; readonly created: boolean }>;
  /** Files and folders below `path`, sorted, at most `limit`; `more` says that there were others. */
  list(
    path: string,
    limit: number,
  ): Promise<{ readonly entries: readonly WorkspaceEntry[]; readonly more: boolean }>;
};
