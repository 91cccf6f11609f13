import { describe, expect, it } from 'vitest';
import { quantityText } from './quantity-text.ts';

describe('quantity text', () => {
  it('gives value, errors and unit whole', () => {
    const base = { name: 'x', unit: 'Mpc' };
    expect(quantityText({ ...base, value: 10.72, err: 0.52 })).toBe('10.72 ± 0.52 Mpc');
    expect(quantityText({ ...base, value: 70, err_plus: 12, err_minus: 8 })).toBe('70 +12 −8 Mpc');
    expect(quantityText({ ...base, value: 69.8, err: 0.8, err_sys: 1.7 })).toBe(
      '69.8 ± 0.8 (stat) ± 1.7 (sys) Mpc',
    );
    expect(quantityText({ ...base, value: 0.069, limit: 'upper' })).toBe('< 0.069 Mpc');
    expect(quantityText({ ...base, value: 25, unit: '' })).toBe('25');
    expect(quantityText({ ...base, value: 30.15, err: 0.106 })).toBe('30.150 ± 0.106 Mpc');
    expect(quantityText({ ...base, value: 2.4e-15, err_plus: 7e-16, err_minus: 6e-16 })).toBe(
      '2.4e-15 +7e-16 −6e-16 Mpc',
    );
  });
});
