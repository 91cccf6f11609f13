/** Every text that the executor writes for the model, in both languages: what went wrong, and what to do about it. */
import type { Language, PermissionDecision } from '@astroresearch/core';
import type { JsonError, JsonExpectation } from './json-error.ts';
import { MAX_JSON_DEPTH } from './plain-json.ts';

export function unknownToolText(name: string, nearest: readonly string[], language: Language): string {
  const shown = JSON.stringify(name.slice(0, 80));
  if (nearest.length === 0) {
    return { zh: `没有名为 ${shown} 的工具。`, en: `There is no tool named ${shown}.` }[language];
  }
  const names = nearest.join(', ');
  return {
    zh: `没有名为 ${shown} 的工具。名称最接近的是：${names}。`,
    en: `There is no tool named ${shown}. The nearest: ${names}.`,
  }[language];
}

/** `problems`: one line each. `example`: JSON text of valid arguments. */
export function invalidArgumentsText(
  toolName: string,
  problems: readonly string[],
  example: string,
  language: Language,
): string {
  const heading = {
    zh: `${toolName} 没有执行：参数无效。`,
    en: `${toolName} was not run: its arguments are not valid.`,
  }[language];
  const label = { zh: '有效参数示例：', en: 'Valid arguments look like this: ' }[language];
  return [heading, ...problems.map((problem) => `- ${problem}`), `${label}${example}`].join('\n');
}

export function emptyArgumentsText(language: Language): string {
  return { zh: '参数是空字符串', en: 'the arguments are an empty string' }[language];
}

/** `kind`: what came instead of an object, as JSON calls it. */
export function notAnObjectText(kind: string, language: Language): string {
  return {
    zh: `应为一个 JSON 对象，实际收到 ${kind}`,
    en: `expected one JSON object, received ${kind}`,
  }[language];
}

export function encodedTwiceText(language: Language): string {
  return {
    zh: '参数是一个内含 JSON 的字符串；请直接给出对象，不要再加引号',
    en: 'the arguments are a string that holds JSON; give the object itself, without quotes around it',
  }[language];
}

export function tooDeepText(language: Language): string {
  return {
    zh: `嵌套超过 ${MAX_JSON_DEPTH} 层`,
    en: `nested more than ${MAX_JSON_DEPTH} levels deep`,
  }[language];
}

export function uncheckableText(reason: string, language: Language): string {
  return {
    zh: `无法检查参数：${reason}`,
    en: `the arguments could not be checked: ${reason}`,
  }[language];
}

export function moreProblemsText(count: number, language: Language): string {
  return { zh: `另有 ${count} 处问题`, en: `and ${count} more` }[language];
}

/** `received`: JSON text of what stands at `path`, shortened; null where nothing does. */
export function problemText(
  path: string,
  message: string,
  received: string | null,
  language: Language,
): string {
  const where = path === '' ? '' : { zh: `${path}：`, en: `${path}: ` }[language];
  const what =
    received === null ? '' : { zh: `（收到 ${received}）`, en: ` (received ${received})` }[language];
  return `${where}${message}${what}`;
}

const EXPECTATIONS: Readonly<Record<JsonExpectation, Readonly<Record<Language, string>>>> = {
  value: { zh: '一个值', en: 'a value' },
  name: { zh: '带双引号的字段名', en: 'a field name in double quotes' },
  'name-or-brace': { zh: '带双引号的字段名或 }', en: 'a field name in double quotes or }' },
  colon: { zh: '冒号', en: 'a colon' },
  'comma-or-brace': { zh: '逗号或 }', en: 'a comma or }' },
  'comma-or-bracket': { zh: '逗号或 ]', en: 'a comma or ]' },
  'end-of-string': {
    zh: '结束字符串的双引号（换行须写成 \\n）',
    en: 'the double quote that ends the string (a line break is written \\n)',
  },
  escape: { zh: '有效的转义（反斜杠本身须写成 \\\\）', en: 'a valid escape (a backslash is written \\\\)' },
  'end-of-text': { zh: '参数到此结束', en: 'the end of the arguments' },
};

/** Position counted from 1, as people do. */
export function invalidJsonText(error: JsonError, language: Language): string {
  const expected = EXPECTATIONS[error.expected][language];
  const position = error.position + 1;
  if (error.found === null) {
    return {
      zh: `不是有效的 JSON：在第 ${position} 个字符处中断，此处应为${expected}`,
      en: `not valid JSON: it ends at character ${position}, where ${expected} should follow`,
    }[language];
  }
  const found = JSON.stringify(error.found);
  return {
    zh: `不是有效的 JSON：第 ${position} 个字符应为${expected}，实际是 ${found}`,
    en: `not valid JSON: expected ${expected} at character ${position}, found ${found}`,
  }[language];
}

/** Why a call that needs a yes did not get one, and how the user can give it. */
export function deniedText(
  toolName: string,
  decision: Exclude<PermissionDecision, { kind: 'allow' }>,
  language: Language,
): string {
  switch (decision.kind) {
    case 'deny':
      return {
        zh: `${toolName} 未获许可：当前为计划模式，只允许只读工具。请给出计划，不要重试。`,
        en: `${toolName} was denied: in plan mode only tools that read may run. Present the plan; do not try again.`,
      }[language];
    case 'ask':
      return {
        zh: `${toolName} 需要许可，而这次运行中无法询问用户，因此没有执行。请告诉用户如何放行：设置 AGENT_PERMISSION_MODE=auto，命令行加 --yes，或在请求中给出 "permission_mode": "auto"。`,
        en: `${toolName} needs permission and nobody can be asked in this run, so it was not carried out. Tell the user how to allow it: set AGENT_PERMISSION_MODE=auto, pass --yes on the command line, or send "permission_mode": "auto" with the turn.`,
      }[language];
    default:
      return decision satisfies never;
  }
}

export function uncheckedPermissionText(toolName: string, language: Language): string {
  return {
    zh: `${toolName} 没有执行：检查许可时出错，因此按拒绝处理。`,
    en: `${toolName} was not carried out: checking its permission failed, so it counts as denied.`,
  }[language];
}

/** `mayHaveActed`: the tool does more than read. */
export function timedOutText(
  toolName: string,
  timeoutMs: number,
  mayHaveActed: boolean,
  language: Language,
): string {
  const seconds = timeoutMs / 1000;
  const doubt = {
    zh: '它可能已部分生效，重试前请先确认。',
    en: ' It may have taken effect in part: verify before trying again.',
  }[language];
  const advice = {
    zh: '请缩小请求范围，或换一种办法。',
    en: ' Ask for less, or go another way.',
  }[language];
  const fact = {
    zh: `${toolName} 超过 ${seconds} 秒没有结果，已被中止。`,
    en: `${toolName} gave no result within ${seconds} s and was stopped.`,
  }[language];
  return `${fact}${mayHaveActed ? doubt : advice}`;
}

export function failedText(toolName: string, reason: string, language: Language): string {
  return { zh: `${toolName} 出错：${reason}`, en: `${toolName} failed: ${reason}` }[language];
}

export function noTextReturnedText(language: Language): string {
  return { zh: '它没有返回文本', en: 'it returned no text' }[language];
}

/** Some providers refuse an empty tool result, and a model wonders about one. */
export function noOutputText(language: Language): string {
  return { zh: '（无输出）', en: '(no output)' }[language];
}
