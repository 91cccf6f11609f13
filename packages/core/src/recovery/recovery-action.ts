/** What the engine can do about a failed call beside waiting (recovery.md, The ladder). */
export const RECOVERY_ACTIONS = [
  'shrink_output',
  'aggressive_compact',
  'reactive_compact',
  'escalate_tokens',
  'multi_turn',
  'larger_model',
  'repair_history',
  'quarantine',
  'surface',
] as const;

export type RecoveryAction = (typeof RECOVERY_ACTIONS)[number];
