/** What a person can do about a failed model call, in words (recovery.md, `surface`). */
import type { Bilingual, Language } from '../message/language.ts';
import type { ErrorKind, ModelFailure } from './error-kind.ts';

const ADVICE: Readonly<Record<ErrorKind, Bilingual>> = {
  rate_limited: {
    zh: '请求过于频繁，请稍候再试。',
    en: 'The provider limits the request rate; try again in a while.',
  },
  overloaded: { zh: '模型服务繁忙，请稍候再试。', en: 'The provider is overloaded; try again in a while.' },
  quota_exhausted: {
    zh: '额度已用完：请在服务商处充值，或更换 LLM_API_KEY。',
    en: 'The quota is used up: top it up at the provider, or set another LLM_API_KEY.',
  },
  context_too_long: {
    zh: '对话超出模型窗口：请新建会话，或换用窗口更大的模型（LLM_MODEL）。',
    en: 'The conversation exceeds the model’s window: start a new session, or choose a larger model (LLM_MODEL).',
  },
  payload_too_large: {
    zh: '请求体过大：请缩短消息或附件。',
    en: 'The request is too large: shorten the message or its attachments.',
  },
  output_limit: {
    zh: '输出上限设置超出模型允许的范围。',
    en: 'The output limit asked for is more than the model allows.',
  },
  output_truncated: {
    zh: '回复在输出上限处中断，未执行其中的工具：请把要求拆小。',
    en: 'The reply was cut at the output limit and none of its tools ran: ask for less at a time.',
  },
  tool_pairing: {
    zh: '服务商认为工具调用与结果不成对；这是我们的错误，请报告。',
    en: 'The provider found a tool call without its result. That is our fault: please report it.',
  },
  bad_request: {
    zh: '服务商拒绝了请求：请检查 LLM_BASE_URL 与 LLM_MODEL（astroresearch doctor）。',
    en: 'The provider refused the request: check LLM_BASE_URL and LLM_MODEL (astroresearch doctor).',
  },
  content_filter: {
    zh: '内容被服务商的过滤器拦截：请换一种问法。',
    en: 'The provider’s content filter refused it: ask in other words.',
  },
  auth: {
    zh: '密钥无效或无权限：请检查 LLM_API_KEY。',
    en: 'The key is wrong or lacks permission: check LLM_API_KEY.',
  },
  model_not_found: {
    zh: '没有这个模型或地址：请检查 LLM_MODEL 与 LLM_BASE_URL。',
    en: 'No such model or address: check LLM_MODEL and LLM_BASE_URL.',
  },
  timeout: {
    zh: '模型没有按时回应：请重试，或调大 LLM_TIMEOUT_SECS。',
    en: 'The model did not answer in time: try again, or raise LLM_TIMEOUT_SECS.',
  },
  network: {
    zh: '连不上模型服务：请检查网络与 LLM_BASE_URL；离线时可设 LLM_PROVIDER=offline。',
    en: 'The model cannot be reached: check the network and LLM_BASE_URL; offline, set LLM_PROVIDER=offline.',
  },
  server_error: { zh: '模型服务内部出错，请稍候再试。', en: 'The provider failed; try again in a while.' },
  empty_reply: {
    zh: '模型两次都没有给出内容：请换一种问法或换一个模型。',
    en: 'The model gave nothing, twice: ask in other words, or choose another model.',
  },
};

/** The advice first, then the provider's own words. */
export function explainFailure(failure: ModelFailure, language: Language): string {
  const words = failure.message.trim();
  return words === '' ? ADVICE[failure.kind][language] : `${ADVICE[failure.kind][language]} (${words})`;
}

/** A turn whose process ended before it did. */
export function explainInterruption(language: Language): string {
  return {
    zh: '上一轮在完成之前被中断（进程退出）。已保存的内容都在，可以继续提问。',
    en: 'The turn was interrupted before it ended (its process stopped). All that was stored is there; ask again to go on.',
  }[language];
}
