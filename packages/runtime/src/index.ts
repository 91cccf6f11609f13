/** Public surface of `@astroresearch/runtime`: what does. */
export * from './agent-types.ts';
export * from './llm/language-model.ts';
export * from './ports.ts';
export * from './store/store.ts';
export * from './tools/tool.ts';
export * from './tools/workspace-files.ts';
