/** Reads back the line that `quantityText` writes, for whoever has only a tool's result. */

/** Numbers as they were written, so that no digit is lost. */
export type MeasuredText = {
  readonly value: string;
  readonly limit: 'upper' | 'lower' | null;
  /** Statistical where `systematic` is set. Plus and minus are equal where the text gives one error. */
  readonly error: { readonly plus: string; readonly minus: string } | null;
  readonly systematic: string | null;
  /** Empty: none. */
  readonly unit: string;
};

const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const MEASURED = new RegExp(
  `^(?:(?<sign>[<>]) )?(?<value>${NUMBER})` +
    String.raw`(?: ± (?<error>${NUMBER})(?! \(sys\))(?: \(stat\))?| \+(?<plus>${NUMBER}) −(?<minus>${NUMBER})(?: \(stat\))?)?` +
    String.raw`(?: ± (?<sys>${NUMBER}) \(sys\))?(?: (?<unit>\S.*))?$`,
);

/** Null: not such a line. */
export function parseQuantityText(text: string): MeasuredText | null {
  const groups = MEASURED.exec(text)?.groups;
  if (groups?.value === undefined) return null;
  const { value, sign, error, plus = error, minus = error, sys, unit } = groups;
  return {
    value,
    limit: sign === undefined ? null : sign === '<' ? 'upper' : 'lower',
    error: plus === undefined || minus === undefined ? null : { plus, minus },
    systematic: sys ?? null,
    unit: unit ?? '',
  };
}
