/** The log line as the server writes it; where it goes is the composer's choice. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Contract: never throws. Fields never hold tokens, tickets, cookies, query strings or bodies. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
