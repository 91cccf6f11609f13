/** What the command line says to people, in both languages. */
import type { Bilingual, Language, LanguageSetting } from '@astroresearch/core';
import type { DatabaseFault } from '@astroresearch/runtime';

export const TEXTS = {
  badConfig: { zh: '配置有误：', en: 'The configuration has faults:' },
  configHelp: { zh: '各变量的含义见 .env.example。', en: '.env.example explains each variable.' },
  unknownSession: {
    zh: '没有这个会话：{id}。用 astroresearch sessions list 查看全部会话。',
    en: 'There is no session {id}. `astroresearch sessions list` shows them all.',
  },
  requestNotMade: {
    zh: '请求 {request} 还没有发出；--request 可取 1 到 {next}（{next} 是下一个，也是默认值）。',
    en: 'Request {request} has not been made; --request takes 1 to {next} ({next} is the next, which is also the default).',
  },
  sessionBusy: {
    zh: '会话 {id} 正在运行另一轮；请等它结束，或在网页中停止它。',
    en: 'Session {id} is running another turn; wait for its end, or stop it in the page.',
  },
  finishingFirst: {
    zh: '这个会话上一轮被中断了；先把它做完，再回答你的问题。',
    en: 'The last turn of this session was interrupted; it is finished first, then comes your question.',
  },
  resumed: {
    zh: '继续 {count} 个被中断的回合。',
    en: '{count} interrupted turns go on.',
  },
  unknownMessage: {
    zh: '会话 {id} 没有消息 {message}；sessions show --json 列出全部。',
    en: 'Session {id} has no message {message}; sessions show --json lists them.',
  },
  databaseSound: {
    zh: '数据库完好：{sessions} 个会话，{events} 个事件（结构、哈希、连续性、投影）',
    en: 'The database is sound: {sessions} sessions, {events} events (structure, hashes, order, projections)',
  },
  databaseOld: {
    zh: '数据库为旧版本 {version}，结构完好；其余检查需先用本程序打开一次来升级。',
    en: 'The database has the older version {version}; its structure is sound. Open it once with this program for all checks.',
  },
  databaseMissing: { zh: '没有数据库 {path}。', en: 'There is no database {path}.' },
  databaseDamaged: {
    zh: '请停止使用它，并用 astroresearch doctor --db {path} --salvage NEW.db 保存可读的部分；原文件不会改动。',
    en: 'Stop using it, and save what can be read: astroresearch doctor --db {path} --salvage NEW.db leaves the file as it is.',
  },
  salvaged: { zh: '{session}：保存 {events} 个事件', en: '{session}: {events} events saved' },
  salvagedPart: {
    zh: '{session}：保存 {events} 个事件，其后 {left} 个已损坏或不连续',
    en: '{session}: {events} events saved, {left} behind them are damaged or out of order',
  },
  salvageDone: {
    zh: '已写入 {out}。请核对后，设置 DATABASE_URL=sqlite:{out}。',
    en: 'Written to {out}. Look at it, then set DATABASE_URL=sqlite:{out}.',
  },
  backupDone: { zh: '备份已写入 {out}', en: 'Backup written to {out}' },
  storageFailed: { zh: '存储失败：{message}', en: 'Storage failed: {message}' },
  goOn: {
    zh: '继续提问：astroresearch ask "…" --session {id}',
    en: 'To go on: astroresearch ask "…" --session {id}',
  },
  cancelled: { zh: '已取消。', en: 'Cancelled.' },
  failed: { zh: '失败：{message}', en: 'Failed: {message}' },
  maxSteps: { zh: '（已用完全部步数）', en: '(all steps used)' },
  compacted: {
    zh: '{messagesBefore} 条消息、{tokensBefore} 个 token → {messagesAfter} 条、{tokensAfter} 个',
    en: '{messagesBefore} messages, {tokensBefore} tokens → {messagesAfter} messages, {tokensAfter} tokens',
  },
  repaired: {
    zh: '历史记录有 {count} 处不合规，已修复（--json 逐条列出）。',
    en: 'The history was broken in {count} places and has been repaired (--json lists them).',
  },
  waiting: {
    zh: '等待 {seconds} 秒：{kind}（第 {attempt} 次失败；Ctrl-C 停止）',
    en: 'waiting {seconds} s: {kind} (failure {attempt}; Ctrl-C stops)',
  },
  recovering: { zh: '恢复（{kind}）：{action}', en: 'recovering ({kind}): {action}' },
  recoverySkipped: {
    zh: '恢复（{kind}）：跳过 {action}，{why}',
    en: 'recovering ({kind}): {action} skipped, {why}',
  },
  modelSwitched: { zh: '改用模型 {to}（{reason}）', en: 'switched to the model {to} ({reason})' },
  suspectedTruncation: {
    zh: '服务端读到的内容远少于发送的内容：上下文可能被截断。请把 LLM_CONTEXT_WINDOW 设为它实际能接收的大小。',
    en: 'the provider read much less than was sent: it may have cut the context. Set LLM_CONTEXT_WINDOW to what it really takes',
  },
  contextCompacted: {
    zh: '已压缩上下文：{before} → {after} token',
    en: 'context made smaller: {before} → {after} tokens',
  },
  wrongFormat: { zh: '--format 可取：{allowed}', en: '--format takes {allowed}' },
  exported: { zh: '已写入 {file}', en: 'Written: {file}' },
  imported: {
    zh: '{file}：{format}，{messages} 条消息；会话 {id}',
    en: '{file}: {format}, {messages} messages; session {id}',
  },
  importRepaired: {
    zh: '  修复 {repairs} 处，略过 {skipped} 行（--json 逐条列出）',
    en: '  repaired in {repairs} places, {skipped} lines skipped (--json lists them)',
  },
  notImported: {
    zh: '{file}:{line}：{reason}。没有导入任何内容。',
    en: '{file}:{line}: {reason}. Nothing of it was imported.',
  },
  noSessions: { zh: '还没有会话。', en: 'There are no sessions yet.' },
  serving: { zh: 'AstroResearch 已启动：{address}', en: 'AstroResearch is up: {address}' },
  login: { zh: '在浏览器打开（一次性登录链接）：', en: 'Open in a browser (one-time login link):' },
  model: { zh: '模型：{provider} / {model}', en: 'Model: {provider} / {model}' },
  stopHint: { zh: '按 Ctrl-C 停止。', en: 'Ctrl-C stops it.' },
  stopping: { zh: '正在停止……（再按一次立即退出）', en: 'Stopping … (once more exits at once)' },
} satisfies Record<string, Bilingual>;

/** What `doctor --db` may find; `{detail}` is the technical part. */
export const DATABASE_FAULTS = {
  structure: { zh: '文件结构损坏：{detail}', en: 'the structure of the file is damaged: {detail}' },
  'lost-commits': {
    zh: '最后的写入丢失：只有 {detail} 个事件（-wal 文件缺失，或这是旧副本）',
    en: 'the last writes are missing: {detail} events are there (the -wal file is gone, or this is an older copy)',
  },
  gap: { zh: '日志缺少事件 {detail}', en: 'the log lacks event {detail}' },
  'damaged-row': { zh: '有一行与写入时不同：{detail}', en: 'a row is not what was written: {detail}' },
  projection: { zh: '{detail} 与日志不符', en: '{detail} is not what the log gives' },
  'orphan-rows': { zh: '不属于任何会话的行：{detail}', en: 'rows of no session: {detail}' },
  lease: { zh: '租约纪元倒退：{detail}', en: 'the epoch of the lease went back: {detail}' },
  unreadable: { zh: '无法读取：{detail}', en: 'it cannot be read: {detail}' },
} satisfies Record<DatabaseFault['kind'], Bilingual>;

/** Headings of a replay. */
export const REPLAY_TEXTS = {
  title: { zh: '上下文策略回放', en: 'Replay of a context policy' },
  policy: { zh: '策略', en: 'policy' },
  steps: { zh: '步数', en: 'steps' },
  sent: { zh: '发送 token', en: 'tokens sent' },
  cached: { zh: '命中缓存', en: 'cached' },
  billed: { zh: '计费', en: 'billed' },
  compactions: { zh: '压缩', en: 'compactions' },
  violations: { zh: '违规', en: 'violations' },
  over: { zh: '超限步', en: 'over limit' },
  survival: { zh: '留存', en: 'survival' },
  recall: { zh: '含召回', en: 'with recall' },
  distance: { zh: '按距离', en: '≤10/50/200/>' },
  missing: { zh: '缺失步', en: 'steps missing' },
  better: { zh: '更优', en: 'better' },
  curves: {
    zh: '每步发送的 token（虚线：命中缓存的部分）；红点：有所用内容已不在视图中；括号内为最大值',
    en: 'tokens sent at each step (dashed: the cached part); a red mark: something used was not in view; in brackets the largest',
  },
} satisfies Record<string, Bilingual>;

/** `auto` follows the terminal's locale. */
export function terminalLanguage(
  setting: LanguageSetting,
  env: Readonly<Record<string, string | undefined>>,
): Language {
  if (setting !== 'auto') return setting;
  return /^zh/i.test(env.LC_ALL ?? env.LC_MESSAGES ?? env.LANG ?? '') ? 'zh' : 'en';
}

/** A text with its `{names}` filled in. */
export function say(
  text: Bilingual,
  language: Language,
  values: Readonly<Record<string, string>> = {},
): string {
  return text[language].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
