/** What comes of asking a model for a summary (context.md 5, L2). */
export type SummaryReply =
  | { readonly kind: 'narrative'; readonly text: string }
  /** The model was asked and gave nothing usable; `reason` is told to people. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** There is no model to ask now. */
  | { readonly kind: 'none' };
