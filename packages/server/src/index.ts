/** Public surface of `@astroresearch/server`: what serves. */
export { type AppParts, createApp } from './app.ts';
export { type Auth, createAuth } from './auth.ts';
export { readOrMakeAuthToken } from './auth-token.ts';
export type { Log, LogLevel } from './log.ts';
export { allowedHosts } from './origin.ts';
export { loadPage, type Page } from './page.ts';
export { type RunningServer, type ServerParts, startServer } from './serve.ts';
export { createEventStreams, type EventStreams, STREAM_LIMITS } from './sse.ts';
export { createTickets, type RandomBytes, type Tickets } from './tickets.ts';
