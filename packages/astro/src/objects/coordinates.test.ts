import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decText, parsePosition, raText, separationDeg, sexagesimal } from './coordinates.ts';

const position = fc.record({
  raDeg: fc.double({ min: 0, max: 359.999_999, noNaN: true }),
  decDeg: fc.double({ min: -90, max: 90, noNaN: true }),
});

describe('coordinates', () => {
  it('writes NGC 1068 as astronomers do', () => {
    expect(sexagesimal({ raDeg: 40.669629, decDeg: -0.013281 })).toBe('02:42:40.71 -00:00:47.8');
  });

  it('carries at sixty', () => {
    expect(raText(14.999_999_9)).toBe('01:00:00.00');
    expect(decText(9.999_999_9)).toBe('+10:00:00.0');
    expect(decText(-0.016_666_6)).toBe('-00:01:00.0');
  });

  it('turns what rounds up to 24 hours into 0 hours', () => {
    expect(raText(359.999_999_99)).toBe('00:00:00.00');
  });

  it('gives no minus sign to a declination that rounds to zero', () => {
    expect(decText(-0.000_000_1)).toBe('+00:00:00.0');
  });

  it('never writes sixty minutes or seconds and reads back what it wrote', () => {
    fc.assert(
      fc.property(position, (place) => {
        const text = sexagesimal(place);
        expect(text).toMatch(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d\d [+-]\d\d:[0-5]\d:[0-5]\d\.\d$/);
        const back = parsePosition(text);
        expect(back).not.toBeNull();
        if (back !== null) expect(separationDeg(place, back) * 3600).toBeLessThan(0.12);
      }),
    );
  });

  it('reads degrees and the forms with letters', () => {
    expect(parsePosition('40.67 -0.013')).toEqual({ raDeg: 40.67, decDeg: -0.013 });
    expect(parsePosition('187.7059, 12.3911')).toEqual({ raDeg: 187.7059, decDeg: 12.3911 });
    expect(parsePosition('02h42m40.71s −00d00m47.8s')?.raDeg).toBeCloseTo(40.669625, 6);
  });

  it.each(['', 'NGC 1068', '400 10', '10 -91', '25:00:00 +00:00:00', '02:60:00 +00:00:00'])(
    'refuses %j',
    (text) => {
      expect(parsePosition(text)).toBeNull();
    },
  );

  it('measures separations: poles, neighbours, antipodes', () => {
    expect(separationDeg({ raDeg: 0, decDeg: 90 }, { raDeg: 123, decDeg: -90 })).toBeCloseTo(180, 9);
    expect(separationDeg({ raDeg: 10, decDeg: 0 }, { raDeg: 11, decDeg: 0 })).toBeCloseTo(1, 12);
    expect(separationDeg({ raDeg: 359.5, decDeg: 60 }, { raDeg: 0.5, decDeg: 60 })).toBeCloseTo(0.5, 3);
  });

  it('is symmetric and zero at home', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        expect(separationDeg(a, b)).toBeCloseTo(separationDeg(b, a), 9);
        expect(separationDeg(a, a)).toBeLessThan(1e-6);
      }),
    );
  });
});
