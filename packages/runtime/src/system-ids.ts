/** New UUIDs from the machine's own randomness. Composition roots pass it in. */
import { randomUUID } from 'node:crypto';
import type { Ids } from './ports.ts';

export const systemIds: Ids = () => randomUUID();
