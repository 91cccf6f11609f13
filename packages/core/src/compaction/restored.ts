/** What files that come back after a compaction may weigh, and its verdict with them (context.md 5 and 6). */
import type { UserMessage } from '../message/message.ts';
import type { Compaction } from './compress.ts';
import { type CompactionLimits, isWithinTarget, sizeOf } from './limits.ts';
import { judge, minGainTokens } from './verdict.ts';

/** Most of what was freed that files may take back. */
const FREED_SHARE = 0.25;

/**
 * Counted (not calibrated) tokens for the block of restored files. It never undoes what the compaction did: it leaves
 * the gain that makes it a success, and the request below the trigger of the next one. 0: nothing can come back.
 */
export function restoreRoomTokens(compaction: Compaction, limits: CompactionLimits): number {
  const { edits, tokensBefore, tokensAfter } = compaction;
  if (edits.length === 0) return 0;
  const freedTokens = tokensBefore - tokensAfter;
  const room = Math.min(
    freedTokens * FREED_SHARE,
    freedTokens - minGainTokens(tokensBefore),
    limits.triggerTokens - tokensAfter,
  );
  // One token less: sizes are rounded.
  return Math.max(0, Math.floor((room - 1) / limits.scale));
}

/** With one more message behind it, whose tokens count in the verdict. */
export function withRestored(
  compaction: Compaction,
  message: UserMessage,
  limits: CompactionLimits,
): Compaction {
  const messages = [...compaction.messages, message];
  const tokensAfter = sizeOf(messages, limits);
  const { success } = judge(compaction.tokensBefore, tokensAfter, isWithinTarget(messages, limits));
  return { ...compaction, messages, appended: [...compaction.appended, message], tokensAfter, success };
}
