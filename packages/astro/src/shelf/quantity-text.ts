/** A measured value in one line: value, errors, unit. */
import type { Quantity } from './work.ts';

/** `30.150 ± 0.106 mag`: value and errors with as many decimals as the finest of them; `+0.7 −0.6`, `± 0.8 (stat) ± 1.7 (sys)`, `< 0.069 eV`. */
export function quantityText(quantity: Quantity): string {
  const { value, unit, limit } = quantity;
  const sign = limit === undefined ? '' : limit === 'upper' ? '< ' : '> ';
  const written = writer(quantity);
  return [`${sign}${written(value)}`, ...errors(quantity, written), unit]
    .filter((part) => part !== '')
    .join(' ');
}

/** JSON keeps no closing zeros; the other numbers tell how many there were. */
function writer({ value, err, err_plus, err_minus, err_sys }: Quantity): (number: number) => string {
  const given = [value, err ?? 0, err_plus ?? 0, err_minus ?? 0, err_sys ?? 0].map(String);
  if (given.some((text) => text.includes('e'))) return String;
  const decimals = Math.max(...given.map((text) => text.split('.')[1]?.length ?? 0));
  return (number) => number.toFixed(decimals);
}

function errors(
  { err, err_plus, err_minus, err_sys }: Quantity,
  written: (number: number) => string,
): readonly string[] {
  const kind = err_sys === undefined ? '' : ' (stat)';
  const systematic = err_sys === undefined ? [] : [`± ${written(err_sys)} (sys)`];
  if (err !== undefined) return [`± ${written(err)}${kind}`, ...systematic];
  if (err_plus !== undefined && err_minus !== undefined)
    return [`+${written(err_plus)} −${written(err_minus)}${kind}`, ...systematic];
  return systematic;
}
