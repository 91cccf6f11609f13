import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuantityText } from './parse-quantity-text.ts';
import { quantityText } from './quantity-text.ts';
import { shippedWorks } from './shipped-works.ts';
import type { Quantity } from './work.ts';

const positive = fc.oneof(
  fc.integer({ min: 1, max: 99_999 }).map((n) => n / 1000),
  fc.constantFrom(7e-16, 1e9),
);
const unit = fc.constantFrom('', 'Mpc', 'km s^-1 Mpc^-1', '%', '%/1000 Å', 'M_sun', 'pc cm^-3');
const errors: fc.Arbitrary<Partial<Quantity>> = fc.oneof(
  fc.constant({}),
  fc.record({ err: positive }),
  fc.record({ err: positive, err_sys: positive }),
  fc.record({ err_sys: positive }),
  fc.record({ err_plus: positive, err_minus: positive }),
  fc.record({ err_plus: positive, err_minus: positive, err_sys: positive }),
  fc.record({ limit: fc.constantFrom('upper' as const, 'lower' as const) }),
);
const quantities = fc
  .record({
    value: fc.oneof(
      positive,
      positive.map((n) => -n),
    ),
    unit,
    errors,
  })
  .map(({ errors: given, ...rest }): Quantity => ({ name: 'x', ...rest, ...given }));

const numbersOf = (quantity: Quantity) => {
  const { value, err, err_plus = err, err_minus = err, err_sys, limit, unit: given } = quantity;
  return {
    value,
    limit: limit ?? null,
    error: err_plus === undefined || err_minus === undefined ? null : [err_plus, err_minus],
    systematic: err_sys ?? null,
    unit: given,
  };
};

function readBack(quantity: Quantity) {
  const parsed = parseQuantityText(quantityText(quantity));
  return (
    parsed && {
      ...parsed,
      value: Number(parsed.value),
      error: parsed.error && [Number(parsed.error.plus), Number(parsed.error.minus)],
      systematic: parsed.systematic === null ? null : Number(parsed.systematic),
    }
  );
}

describe('parse quantity text', () => {
  it('reads back every number that was written', () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        expect(readBack(quantity)).toEqual(numbersOf(quantity));
      }),
    );
  });

  it('reads every value on the shelf', () => {
    for (const quantity of shippedWorks().flatMap(({ quantities: all }) => all))
      expect(readBack(quantity)).toEqual(numbersOf(quantity));
  });

  it.each(['', 'about 3', '3±1', '± 4 Mpc'])('refuses %j', (text) => {
    expect(parseQuantityText(text)).toBeNull();
  });
});
