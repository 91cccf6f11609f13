/** The in-memory store keeps the contract. */
import { createInMemoryStore } from './in-memory.ts';
import { storeContract } from './store.contract.ts';

storeContract('the in-memory store', createInMemoryStore);
