import { describe, expect, it } from 'vitest';
import { quantityText } from '../shelf/quantity-text.ts';
import { shippedWorks } from '../shelf/shipped-works.ts';
import { latexQuantity, latexValue } from './latex-quantity.ts';

describe('latex quantity', () => {
  it.each([
    ['H_0', '73.04 ± 1.04 km s^-1 Mpc^-1', '$H_0 = 73.04 \\pm 1.04\\ \\mathrm{km\\,s^{-1}\\,Mpc^{-1}}$'],
    ['μ', '30.150 ± 0.106 mag', '$\\mu = 30.150 \\pm 0.106\\ \\mathrm{mag}$'],
    ['n_s', '79 +22 −20', '$n_s = 79^{+22}_{-20}$'],
    ['M', '6500000000 ± 700000000 M_sun', '$M = (6.5 \\pm 0.7) \\times 10^{9}\\ M_\\odot$'],
    ['A_GWB', '2.4e-15 +7e-16 −6e-16', '$A_{\\mathrm{GWB}} = (2.4^{+0.7}_{-0.6}) \\times 10^{-15}$'],
    ['Σm_ν', '< 0.064 eV', '$\\Sigma m_{\\nu} < 0.064\\ \\mathrm{eV}$'],
    [
      'H_0',
      '69.8 ± 0.8 (stat) ± 1.7 (sys)',
      '$H_0 = 69.8 \\pm 0.8_{\\mathrm{stat}} \\pm 1.7_{\\mathrm{sys}}$',
    ],
    ['m sin i', '1.07 M_earth', '$m\\sin i = 1.07\\ M_\\oplus$'],
    [undefined, '4.9 sigma', '$4.9\\,\\sigma$'],
    [undefined, '87.5 %', '$87.5\\%$'],
    ['θ', '42 ± 3 μas', '$\\theta = 42 \\pm 3\\ \\mu\\mathrm{as}$'],
    [undefined, '18 ± 4 %/1000 Å', '$18 \\pm 4$ %/1000 Å'],
    ['v', '60 km/s', '$v = 60\\ \\mathrm{km\\,s^{-1}}$'],
  ])('writes %s %s', (symbol, value, latex) => {
    expect(latexQuantity(symbol === undefined ? { value } : { symbol, value })).toBe(latex);
  });

  it('leaves what it cannot read as it is', () => {
    expect(latexQuantity({ value: 'about three' })).toBe('about three');
    expect(latexValue('about three')).toBe('about three');
  });

  it('writes every value on the shelf as one closed formula', () => {
    for (const quantity of shippedWorks().flatMap(({ quantities }) => quantities)) {
      const { symbol } = quantity;
      const latex = latexQuantity({
        value: quantityText(quantity),
        ...(symbol === undefined ? {} : { symbol }),
      });
      expect(latex).toMatch(/^\$[^$]+\$( %\/1000 Å)?$/);
      expect(latex.split('{').length).toBe(latex.split('}').length);
      expect(latex.replace(/ %\/1000 Å$/, '')).not.toMatch(/[^\x20-\x7e]/);
    }
  });
});
