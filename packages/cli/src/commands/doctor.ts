/** `astroresearch doctor`: looks at what the product needs and says how to mend what is missing. */
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { openAstronomer } from '@astroresearch/astro';
import type { Bilingual, Language } from '@astroresearch/core';
import { type Config, systemClock, systemIds } from '@astroresearch/runtime';
import { EXIT } from '../exit-codes.ts';
import { readTerminalConfig } from '../open.ts';
import type { Terminal } from '../terminal.ts';

const ENDPOINT_TIMEOUT_MS = 5_000;

type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'fault';
  readonly detail: string;
  /** What to do; only for faults and notes. */
  readonly mend?: string;
};

export async function doctor(options: { readonly json?: boolean }, terminal: Terminal): Promise<number> {
  const read = readTerminalConfig(terminal);
  if (read === null) return EXIT.wrongUse;
  const { config, language } = read;
  const findings: readonly Finding[] = [
    { check: 'node', state: 'ok', detail: process.version },
    { check: 'configuration', state: 'ok', detail: `${config.model.provider} / ${config.model.model}` },
    ...(await Promise.all(
      [config.folders.home, config.folders.workspace].map((folder) => checkFolder(folder, language)),
    )),
    await checkDatabase(config, language),
    await checkModel(config, language),
  ];
  if (options.json === true) terminal.out(`${JSON.stringify({ findings }, null, 2)}\n`);
  else for (const finding of findings) terminal.out(`${line(finding)}\n`);
  return findings.some((finding) => finding.state === 'fault') ? EXIT.failed : EXIT.done;
}

function line({ state, check, detail, mend }: Finding): string {
  const mark = { ok: '✓', note: '·', fault: '✗' }[state];
  return `${mark} ${check}: ${detail}${mend === undefined ? '' : `\n    → ${mend}`}`;
}

async function checkFolder(folder: string, language: Language): Promise<Finding> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK);
    return { check: 'folder', state: 'ok', detail: folder };
  } catch (error) {
    const mend: Bilingual = {
      zh: `让 ${folder} 可写，或用 ASTRORESEARCH_HOME / AGENT_WORKSPACE 指向别处。`,
      en: `Make ${folder} writable, or point ASTRORESEARCH_HOME / AGENT_WORKSPACE elsewhere.`,
    };
    return { check: 'folder', state: 'fault', detail: reason(error), mend: mend[language] };
  }
}

async function checkDatabase(config: Config, language: Language): Promise<Finding> {
  try {
    const { agent } = await openAstronomer(config, {
      clock: systemClock,
      ids: systemIds,
      fetch: globalThis.fetch,
      reportFault: () => {},
    });
    await agent.listSessions({ limit: 1, cursor: null, query: null });
    await agent.close();
    return { check: 'database', state: 'ok', detail: config.databasePath };
  } catch (error) {
    const mend: Bilingual = {
      zh: '检查文件权限与剩余空间；或用 DATABASE_URL 指向另一个文件。',
      en: 'Check the file’s permissions and the free space, or point DATABASE_URL at another file.',
    };
    return { check: 'database', state: 'fault', detail: reason(error), mend: mend[language] };
  }
}

async function checkModel({ model }: Config, language: Language): Promise<Finding> {
  if (model.provider === 'offline') {
    const mend: Bilingual = {
      zh: '离线研究员无需密钥即可工作；要接入语言模型，请设置 LLM_BASE_URL、LLM_API_KEY、LLM_MODEL。',
      en: 'The offline researcher works without a key; for a language model set LLM_BASE_URL, LLM_API_KEY, LLM_MODEL.',
    };
    return { check: 'model', state: 'note', detail: 'offline', mend: mend[language] };
  }
  const url = `${model.baseUrl}/models`;
  try {
    const response = await fetch(url, {
      headers: model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` },
      signal: AbortSignal.timeout(ENDPOINT_TIMEOUT_MS),
    });
    if (response.ok) return { check: 'model', state: 'ok', detail: url };
    const mend: Bilingual = {
      zh:
        response.status === 401 || response.status === 403
          ? '检查 LLM_API_KEY。'
          : '检查 LLM_BASE_URL（到 /v1 为止）。',
      en:
        response.status === 401 || response.status === 403
          ? 'Check LLM_API_KEY.'
          : 'Check LLM_BASE_URL (up to /v1).',
    };
    return {
      check: 'model',
      state: 'fault',
      detail: `${url}: HTTP ${response.status}`,
      mend: mend[language],
    };
  } catch (error) {
    const mend: Bilingual = {
      zh: '检查网络与 LLM_BASE_URL；离线时设 LLM_PROVIDER=offline。',
      en: 'Check the network and LLM_BASE_URL; to work offline set LLM_PROVIDER=offline.',
    };
    return { check: 'model', state: 'fault', detail: `${url}: ${reason(error)}`, mend: mend[language] };
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
