/** A measured value as LaTeX: symbol, value, errors, unit. */
import { type MeasuredText, parseQuantityText } from '../shelf/parse-quantity-text.ts';
import type { PaperQuantity } from './tool-results.ts';

/** `$H_0 = 73.04 \pm 1.04\ \mathrm{km\,s^{-1}\,Mpc^{-1}}$`; a value that cannot be read stays as it is. */
export function latexQuantity({ symbol, value }: Pick<PaperQuantity, 'symbol' | 'value'>): string {
  const measured = parseQuantityText(value);
  if (measured === null) return value;
  const name = symbol === undefined ? null : latexSymbol(symbol);
  const relation = measured.limit === null ? '=' : measured.limit === 'upper' ? '<' : '>';
  const left = name === null ? (measured.limit === null ? '' : `${relation} `) : `${name} ${relation} `;
  return inMath(left, measured);
}

/** The value without its symbol, for a table. */
export function latexValue(value: string): string {
  const measured = parseQuantityText(value);
  if (measured === null) return value;
  const relation = measured.limit === null ? '' : measured.limit === 'upper' ? '< ' : '> ';
  return inMath(relation, measured);
}

function inMath(left: string, measured: MeasuredText): string {
  const unit = latexUnit(measured.unit);
  if (unit === null) return `$${left}${numbers(measured)}$ ${measured.unit}`;
  return `$${left}${numbers(measured)}${unit}$`;
}

/** From these powers of ten on, a number is written with its power. */
const LARGE_EXPONENT = 5;
const SMALL_EXPONENT = -3;

function numbers({ value, error, systematic }: MeasuredText): string {
  const exponent = value === '0' ? 0 : Math.floor(Math.log10(Math.abs(Number(value))));
  const scaled = exponent >= LARGE_EXPONENT || exponent <= SMALL_EXPONENT;
  const mantissas = [value, error?.plus, error?.minus, systematic].flatMap((text) =>
    text === undefined || text === null ? [] : [mantissa(text, exponent)],
  );
  const decimals = Math.max(...mantissas.map((text) => text.split('.')[1]?.length ?? 0));
  const written = (text: string) => (scaled ? Number(mantissa(text, exponent)).toFixed(decimals) : text);
  const kind = systematic === null ? '' : '_{\\mathrm{stat}}';
  const errors =
    error === null
      ? ''
      : error.plus === error.minus
        ? ` \\pm ${written(error.plus)}${kind}`
        : `^{+${written(error.plus)}}_{-${written(error.minus)}}${kind === '' ? '' : '\\,\\mathrm{(stat)}'}`;
  const systematics = systematic === null ? '' : ` \\pm ${written(systematic)}_{\\mathrm{sys}}`;
  const all = `${written(value)}${errors}${systematics}`;
  if (!scaled) return all;
  return `${errors + systematics === '' ? all : `(${all})`} \\times 10^{${exponent}}`;
}

/** Without the noise of binary fractions. */
const mantissa = (text: string, exponent: number) =>
  String(Number((Number(text) / 10 ** exponent).toPrecision(12)));

const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  Δ: 'Delta',
  δ: 'delta',
  θ: 'theta',
  μ: 'mu',
  ν: 'nu',
  Ξ: 'Xi',
  ρ: 'rho',
  Σ: 'Sigma',
  σ: 'sigma',
  τ: 'tau',
  Ω: 'Omega',
  '∞': 'infty',
};

/** Null: it holds a sign that is not known here. */
export function latexSymbol(symbol: string): string | null {
  if (symbol === 'm sin i') return 'm\\sin i';
  const [base = '', below] = symbol.split('_', 2);
  const [subscript = '', superscript = ''] = (below ?? '').split('^', 2);
  const [main, sub, sup] = [latexLetters(base), latexLetters(subscript), latexLetters(superscript)];
  if (main === null || main === '' || sub === null || sup === null) return null;
  const braced = (part: string) => (part.length === 1 ? part : `{${part}}`);
  return `${main}${sub === '' ? '' : `_${braced(sub)}`}${sup === '' ? '' : `^${braced(sup)}`}`;
}

/** Null: a sign that is not known here. */
function latexLetters(text: string): string | null {
  if (text === '') return '';
  if (/^[A-Za-z]$|^\d+$/.test(text)) return text;
  if (/^[A-Za-z0-9/+-]+$/.test(text)) return `\\mathrm{${text}}`;
  let latex = '';
  for (const character of text) {
    const greek = GREEK[character];
    if (greek === undefined && !/[A-Za-z0-9]/.test(character)) return null;
    latex += greek === undefined ? character : `\\${greek} `;
  }
  return latex.trim();
}

const WHOLE_UNITS: Readonly<Record<string, string>> = { '': '', '%': '\\%', sigma: '\\,\\sigma' };
const BASE_UNITS: Readonly<Record<string, string>> = {
  M_sun: 'M_\\odot',
  M_earth: 'M_\\oplus',
  R_earth: 'R_\\oplus',
  R_sun: 'R_\\odot',
};

/** Null: written outside the formula. */
function latexUnit(unit: string): string | null {
  const whole = WHOLE_UNITS[unit];
  if (whole !== undefined) return whole;
  const [above = '', ...below] = unit.split('/');
  const factors = [
    ...above.split(' '),
    ...below.flatMap((part) => part.split(' ').map((one) => `${one}^-1`)),
  ];
  const latex = factors.map(latexFactor).filter((factor) => factor !== null);
  if (latex.length < factors.length) return null;
  // One upright group for units that are all letters, as they are usually written.
  const upright = latex.every((factor) => factor.startsWith('\\mathrm{'));
  const joined = upright
    ? `\\mathrm{${latex.map((factor) => factor.replace(/^\\mathrm\{(\w+)\}/, '$1')).join('\\,')}}`
    : latex.join('\\,');
  return `\\ ${joined}`;
}

function latexFactor(factor: string): string | null {
  const [, base = '', power] = /^(μ?[A-Za-z_]+)(?:\^(-?\d+))?$/.exec(factor) ?? [];
  if (base === '') return null;
  const special = BASE_UNITS[base];
  const micro = base.startsWith('μ') ? '\\mu' : '';
  const name = special ?? `${micro}\\mathrm{${base.replace('μ', '')}}`;
  return power === undefined ? name : `${name}^{${power}}`;
}
