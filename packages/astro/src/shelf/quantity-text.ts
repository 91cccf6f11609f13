/** A measured value in one line: value, errors, unit. */
import type { Quantity } from './work.ts';

/** `30.150 ± 0.106 mag`: as many decimals as the error; `+0.7 −0.6`, `± 0.8 (stat) ± 1.7 (sys)`, `< 0.069 eV`. */
export function quantityText(quantity: Quantity): string {
  const { unit, limit } = quantity;
  const sign = limit === undefined ? '' : limit === 'upper' ? '< ' : '> ';
  return [`${sign}${valueText(quantity)}`, ...errors(quantity), unit].filter((part) => part !== '').join(' ');
}

/** JSON keeps no closing zeros; the errors tell how many were there. */
function valueText({ value, err, err_plus, err_minus }: Quantity): string {
  const given = [value, err ?? 0, err_plus ?? 0, err_minus ?? 0].map(String);
  if (given.some((text) => text.includes('e'))) return String(value);
  return value.toFixed(Math.max(...given.map((text) => text.split('.')[1]?.length ?? 0)));
}

function errors({ err, err_plus, err_minus, err_sys }: Quantity): readonly string[] {
  const kind = err_sys === undefined ? '' : ' (stat)';
  const systematic = err_sys === undefined ? [] : [`± ${err_sys} (sys)`];
  if (err !== undefined) return [`± ${err}${kind}`, ...systematic];
  if (err_plus !== undefined && err_minus !== undefined)
    return [`+${err_plus} −${err_minus}${kind}`, ...systematic];
  return systematic;
}
