/** How a command ends (api.md, Command line). */
export const EXIT = { done: 0, failed: 1, wrongUse: 2, interrupted: 130 } as const;
