/** What the model is told about files it knows, in both languages (context.md 6). */
import type { Language } from '../message/language.ts';
import type { MessageId } from '../message/message.ts';

/**
 * `FILE_UNCHANGED_STUB`: answers a second read. `shownBy`: where the whole content stands in the view. What it says is
 * true for good: a compaction of later may hide that message, and recall still gives it.
 */
export function fileUnchangedText(path: string, shownBy: MessageId, language: Language): string {
  return {
    zh: `[文件未变] ${path} 与 ${shownBy} 中的全文完全相同，请直接使用；若 ${shownBy} 已不在上文，用 recall_context {"ref":"${shownBy}"} 取回。`,
    en: `[File unchanged] ${path} is exactly as ${shownBy} shows it in full. Use that; should ${shownBy} no longer stand above, recall_context {"ref":"${shownBy}"} gives it back.`,
  }[language];
}

/** Heading of one file in the restore block. `changed`: it is not what the agent saw before. */
export function restoredHeading(path: string, changed: boolean, language: Language): string {
  const heading = { zh: `[压缩后恢复: ${path}]`, en: `[Restored after compaction: ${path}]` }[language];
  const note = { zh: '（上次读取之后文件已变化）', en: ' (changed since it was last read)' }[language];
  return changed ? `${heading}${note}` : heading;
}

/** Ends a file that is not shown to its end. */
export function restoredMarker(leftOutChars: number, language: Language): string {
  return {
    zh: `[… 后面还有 ${leftOutChars} 个字符未显示：需要时用 read_file 重新读取 …]`,
    en: `[… ${leftOutChars} more characters are not shown: read the file again for the rest …]`,
  }[language];
}
