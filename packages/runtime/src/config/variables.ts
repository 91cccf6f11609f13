/** Every environment variable of the product with its default: the one table (api.md, Environment). */
import { PERMISSION_MODES } from '@astroresearch/core';
import {
  oneOf,
  optionalNumber,
  optionalOneOf,
  optionalText,
  optionalUrl,
  text,
  url,
  type Variable,
  wholeNumber,
} from './variable.ts';

const PROVIDERS = ['openai', 'anthropic', 'dashscope', 'deepseek', 'offline'] as const;
export type Provider = (typeof PROVIDERS)[number];

const MAX_TOKENS = 100_000_000;

export const VARIABLES = {
  AGENT_MAX_STEPS: wholeNumber(8, 1, 1_000),
  AGENT_TOOL_TIMEOUT_SECS: wholeNumber(120, 1, 86_400),
  AGENT_MAX_TOOL_OUTPUT_CHARS: wholeNumber(4_000, 200, 10_000_000),
  AGENT_CONTEXT_POLICY: oneOf(['balanced', 'seed'], 'balanced'),
  AGENT_CONTEXT_CHAR_LIMIT: optionalNumber(1_000, MAX_TOKENS),
  AGENT_TOKEN_SOFT_LIMIT: wholeNumber(32_000, 500, MAX_TOKENS),
  AGENT_TOKEN_HARD_LIMIT: wholeNumber(40_000, 500, MAX_TOKENS),
  AGENT_MAX_MESSAGES: wholeNumber(50, 10, 1_000_000),
  FALLBACK_MODEL: optionalText(),
  LLM_PROVIDER: optionalOneOf(PROVIDERS),
  LLM_BASE_URL: optionalUrl(),
  LLM_API_KEY: optionalText(),
  LLM_MODEL: optionalText(),
  LLM_CONTEXT_WINDOW: optionalNumber(1_000, MAX_TOKENS),
  LLM_TIMEOUT_SECS: wholeNumber(120, 1, 86_400),
  AGENT_LANGUAGE: oneOf(['zh', 'en', 'auto'], 'auto'),
  AGENT_PERMISSION_MODE: oneOf(PERMISSION_MODES, 'default'),
  AGENT_MEMORY_DIR: optionalText(),
  AGENT_SKILLS_DIR: text('./skills'),
  AGENT_WORKSPACE: text('./workspace'),
  AGENT_RETRY_BASE_MS: wholeNumber(500, 1, 60_000),
  DATABASE_URL: optionalText(),
  ASTRORESEARCH_HOME: optionalText(),
  HOST: text('127.0.0.1'),
  PORT: wholeNumber(8_787, 0, 65_535),
  AUTH_TOKEN: optionalText(),
  ADS_API_TOKEN: optionalText(),
  ADS_BASE_URL: url('https://api.adsabs.harvard.edu/v1'),
  ARXIV_BASE_URL: url('https://export.arxiv.org'),
  SIMBAD_BASE_URL: url('https://simbad.cds.unistra.fr'),
  VIZIER_BASE_URL: url('https://tapvizier.cds.unistra.fr'),
} satisfies Record<string, Variable<unknown>>;

type VariableName = keyof typeof VARIABLES;
export type Values = { readonly [Name in VariableName]: ReturnType<ValueOf<Name>> };
type ValueOf<Name extends VariableName> = () => (typeof VARIABLES)[Name] extends Variable<infer T>
  ? T
  : never;
