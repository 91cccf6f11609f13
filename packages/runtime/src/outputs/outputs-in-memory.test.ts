import { describeOutputStore } from './output-store.contract.ts';
import { createOutputsInMemory } from './outputs-in-memory.ts';

describeOutputStore('memory', async () => createOutputsInMemory());
