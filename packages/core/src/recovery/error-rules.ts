/** The rules of the classifier as tables (reliability.md 4.2, rule 3): codes, anchored messages, statuses. */
import type { ErrorKind } from './error-kind.ts';

/** Codes that mean one thing wherever they stand: asked first. */
export const KIND_BY_CODE: ReadonlyMap<string, ErrorKind> = new Map<string, ErrorKind>([
  ...kinds('quota_exhausted', 'insufficient_quota exceeded_current_quota_error billing_hard_limit_reached'),
  ...kinds(
    'quota_exhausted',
    'insufficient_balance insufficient_credits arrearage quota_exhausted quota_limit_zero',
  ),
  ...kinds('quota_exhausted', '1113 1308 1309'),
  ...kinds(
    'auth',
    'invalid_api_key invalidapikey api_key_invalid authentication_error invalid_authentication_error',
  ),
  ...kinds(
    'auth',
    'permission_error permission_denied access_terminated_error unauthorized 1000 1001 1002 1003 1004',
  ),
  ...kinds('content_filter', 'data_inspection_failed content_filter content_policy_violation 1301'),
  ...kinds(
    'context_too_long',
    'context_length_exceeded exceed_context_size_error model_context_window_exceeded 1261',
  ),
  ...kinds('payload_too_large', 'request_too_large'),
  ...kinds('overloaded', 'overloaded_error model_capacity_exhausted no_available_workers 1305'),
  ...kinds('model_not_found', 'model_not_found deploymentnotfound resource_not_found_error notfounderror'),
]);

/** Codes that a better-worded message may contradict: asked after the messages. */
export const KIND_BY_WEAK_CODE: ReadonlyMap<string, ErrorKind> = new Map<string, ErrorKind>([
  ...kinds(
    'rate_limited',
    'rate_limit_exceeded rate_limit_error rate_limit_reached_error resource_exhausted',
  ),
  ...kinds('rate_limited', 'throttling throttling.ratequota throttling.allocationquota 1302 1303'),
  ...kinds('server_error', 'server_error api_error internal_error internal_server_error'),
  ...kinds('bad_request', 'invalid_request_error invalid_argument invalidparameter badrequesterror'),
]);

export type MessageRule = {
  readonly kind: ErrorKind;
  readonly says: RegExp;
  /** Only then; left out: with any status. */
  readonly statuses?: (status: number) => boolean;
  /** Not if it says this as well. */
  readonly unless?: RegExp;
  /** Unmistakable even as a text without status: it begins as a provider's own message does. */
  readonly standsAlone?: true;
};

const isClientFault = (status: number) => status >= 400 && status < 500;
const isBusy = (status: number) => status === 429 || status >= 500 || status === 200;
const RATE_WORDING = /per min(?:ute)?|\b[TR]P[MD]\b|rate.?limit/i;

/**
 * On the message alone, from top to bottom: never on ids, addresses, model names or echoed input. An overflow needs a
 * noun of size and a verb of excess; wording about rates vetoes it.
 */
export const MESSAGE_RULES: readonly MessageRule[] = [
  {
    kind: 'tool_pairing',
    says: /tool_use.{0,3} ids were found without|no tool call found for function call output|role 'tool' must be a response|'?tool_calls'? must be followed by tool messages|insufficient tool messages|unexpected .{0,3}tool_use_id|tool_result.{0,40}without.{0,40}tool_use|function response parts.{0,60}function call parts/i,
  },
  {
    kind: 'context_too_long',
    says: /^request too large\b.*limit:? \d+, requested:? \d+/i,
    unless: /\bused:? \d+/i,
  },
  {
    kind: 'quota_exhausted',
    says: /insufficient balance|credit balance is too low|余额不足|账户.{0,6}欠费|requires more credits|can only afford|exceeded your (?:monthly|daily|weekly) (?:usage|spend)|usage limit (?:reached|exceeded)|account is in good standing|quota exceeded for metric[^\n]*\blimit: 0\b/i,
  },
  {
    kind: 'content_filter',
    says: /content exists risk|inappropriate content|content management policy|violates usage guidelines|considered high risk|moderation block|不安全或敏感内容|blocked by (?:our )?(?:content|safety)/i,
  },
  {
    kind: 'output_limit',
    says: /max(?:_completion|_output)?_tokens\W{0,3} (?:is too large|must be (?:less|at most))|range of max_(?:completion_|output_)?tokens|valid range of max_|max_(?:completion_|output_)?tokens\b.*(?:integer above maximum|maximum allowed number of output tokens)/i,
    unless: /context (?:limit|length|window)\b.{0,20}exceed|exceed context limit/i,
  },
  {
    kind: 'context_too_long',
    says: /(?:this (?:model|endpoint)'s|the model's) maximum (?:context|prompt) length is|prompt is too long|input token count .{0,20}exceeds|exceeds? the (?:available )?context (?:window|size|length)|exceed context limit|exceeds max(?:imum)? (?:length|context|input)|range of input length should be|n_keep .{0,12}>= n_ctx|context (?:the )?overflows?|input is too long|context (?:length|window|size) (?:is )?exceeded|(?:输入|上下文|提示词?).{0,12}(?:超过|超出|过长)/i,
    unless: RATE_WORDING,
    standsAlone: true,
  },
  {
    kind: 'overloaded',
    says: /\boverloaded\b|high demand|no capacity|server (?:is )?busy|no slots available|访问量过大|(?:服务|系统)繁忙|no available workers|maximum pending requests/i,
    statuses: isBusy,
  },
  {
    kind: 'timeout',
    says: /deadline expired|gateway time-?out|\btimed out\b/i,
    statuses: (status) => status >= 500,
  },
  {
    kind: 'auth',
    says: /^(?:incorrect|invalid) api.?key|api key not valid|^authentication fails|^invalid authentication|令牌已过期|^authorization token/i,
    statuses: isClientFault,
  },
  {
    kind: 'model_not_found',
    says: /\bmodel\b.{0,80}(?:does not exist|not found)|^no endpoints found|^not found the model|模型不存在/i,
    statuses: isClientFault,
  },
  {
    kind: 'rate_limited',
    says: /rate.?limit|too many requests|max RPM|concurrency|速率限制|请求频率|quota exceeded|quota limit/i,
    statuses: (status) => status === 429 || status === 200,
  },
];

export function kindOfStatus(status: number): ErrorKind {
  return KIND_BY_STATUS.get(status) ?? (status >= 500 ? 'server_error' : 'bad_request');
}

const KIND_BY_STATUS: ReadonlyMap<number, ErrorKind> = new Map([
  [401, 'auth'],
  [402, 'quota_exhausted'],
  [403, 'auth'],
  [404, 'model_not_found'],
  [408, 'timeout'],
  [413, 'payload_too_large'],
  [429, 'rate_limited'],
  [502, 'overloaded'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [522, 'timeout'],
  [524, 'timeout'],
  [529, 'overloaded'],
]);

function kinds(kind: ErrorKind, codes: string): readonly (readonly [string, ErrorKind])[] {
  return codes.split(' ').map((code) => [code, kind] as const);
}
