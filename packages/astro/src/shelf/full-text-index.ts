/** What the shelf needs of a full-text index: a port, which the runtime's `createFullTextIndex()` fits. */
export type FullTextIndex = {
  add(id: string, fields: { readonly title?: string; readonly names?: string; readonly body?: string }): void;
  /** At most `limit`, best first; `complete`: holds every word of the query. */
  search(
    query: string,
    limit: number,
  ): readonly { readonly id: string; readonly score: number; readonly complete: boolean }[];
};
