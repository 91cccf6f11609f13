/** What a context policy is to the replay: it is told what was added and says what it would send (quality.md 1). */
import type { Message } from '../message/message.ts';

export type ReplayPolicy = {
  readonly name: string;
  /** A run through one session; runs share nothing. */
  readonly start: () => PolicyRun;
};

export type PolicyRun = {
  /** `added`: the recorded messages since the last call, in order. A step follows: the request before the next reply. */
  readonly next: (added: readonly Message[]) => PolicyStep;
  /** The number that the `index`th recorded message was stored under, so that refs can be followed; from 0. */
  readonly storedOrdinal: (index: number) => number;
};

export type PolicyStep = {
  readonly messages: readonly Message[];
  /** Compactions made for this request. */
  readonly compactions: number;
  readonly summariserInputTokens: number;
  readonly summariserOutputTokens: number;
};

/** The recording as it is: the yardstick for all others. */
export const SEND_EVERYTHING: ReplayPolicy = {
  name: 'send-everything',
  start: () => {
    const messages: Message[] = [];
    return {
      next: (added) => {
        messages.push(...added);
        return {
          messages: messages.slice(),
          compactions: 0,
          summariserInputTokens: 0,
          summariserOutputTokens: 0,
        };
      },
      storedOrdinal: (index) => index + 1,
    };
  },
};
