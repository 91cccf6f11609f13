/** Whether a call may be carried out (runtime.md, Permissions): the mode and the tool's effect decide. */

export const PERMISSION_MODES = ['default', 'plan', 'auto'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

/** What a tool does to the world (reliability.md 2.2). */
export type Effect = 'read' | 'idempotent' | 'effect' | 'interactive';

export type PermissionDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask' }
  | { readonly kind: 'deny'; readonly reason: 'plan-mode' };

export type PermissionTraits = {
  readonly effect: Effect;
  /** Touches nothing but the session's own state (`todo_write`, `save_memory` …). */
  readonly ownState: boolean;
};

export function evaluatePermission(mode: PermissionMode, tool: PermissionTraits): PermissionDecision {
  if (tool.effect === 'read') return { kind: 'allow' };
  if (mode === 'plan') return { kind: 'deny', reason: 'plan-mode' };
  if (tool.ownState || mode === 'auto') return { kind: 'allow' };
  return { kind: 'ask' };
}
