/** Degrees to sexagesimal text and back, and the angle between two places. Pure. */

export type Position = {
  /** ICRS degrees, 0 ≤ ra < 360. */
  readonly raDeg: number;
  /** ICRS degrees, −90 to 90. */
  readonly decDeg: number;
};

/** `02:42:40.71 -00:00:47.8`: hours with two decimals of a second, degrees with one decimal of an arcsecond. */
export function sexagesimal({ raDeg, decDeg }: Position): string {
  return `${raText(raDeg)} ${decText(decDeg)}`;
}

/** `hh:mm:ss.ss`. What rounds up to 24 hours is 0 hours. */
export function raText(raDeg: number, decimals = 2): string {
  const unit = 10 ** decimals;
  const wrapped = ((raDeg % 360) + 360) % 360;
  const ticks = Math.round((wrapped / 15) * 3600 * unit) % (24 * 3600 * unit);
  return inSixties(ticks, decimals);
}

/** `±dd:mm:ss.s`. The sign is kept where the degrees are 0. */
export function decText(decDeg: number, decimals = 1): string {
  const ticks = Math.round(Math.abs(decDeg) * 3600 * 10 ** decimals);
  return `${decDeg < 0 && ticks > 0 ? '-' : '+'}${inSixties(ticks, decimals)}`;
}

/** Reads `02:42:40.71 -00:00:47.8`, `02h42m40.71s -00d00m47.8s`, `40.67 -0.013`. Null: none of these, or out of range. */
export function parsePosition(text: string): Position | null {
  const plain = text.normalize('NFKC').replace(/[−–]/g, '-').trim();
  const degrees = /^([+-]?\d+(?:\.\d*)?)(?:\s*,\s*|\s+)([+-]?\d+(?:\.\d*)?)$/.exec(plain);
  if (degrees !== null) return inRange(Number(degrees[1]), Number(degrees[2]));
  const sixties =
    /^(\d{1,2})[:h ]\s*(\d{1,2})[:m ]\s*(\d{1,2}(?:\.\d*)?)s?[\s,]+([+-]?)(\d{1,2})[:d° ]\s*(\d{1,2})[:m' ]\s*(\d{1,2}(?:\.\d*)?)[s"]?$/.exec(
      plain,
    );
  if (sixties === null) return null;
  const [, hours, minutes, seconds, sign, degree, arcminutes, arcseconds] = sixties;
  if ([minutes, seconds, arcminutes, arcseconds].some((part) => Number(part) >= 60)) return null;
  const ra = 15 * (Number(hours) + Number(minutes) / 60 + Number(seconds) / 3600);
  const dec = Number(degree) + Number(arcminutes) / 60 + Number(arcseconds) / 3600;
  return inRange(ra, sign === '-' ? -dec : dec);
}

/** Degrees, 0 to 180. Vincenty's form: exact also for neighbours and antipodes. */
export function separationDeg(a: Position, b: Position): number {
  const [decA, decB, difference] = [radians(a.decDeg), radians(b.decDeg), radians(b.raDeg - a.raDeg)];
  const across = Math.cos(decB) * Math.sin(difference);
  const along = Math.cos(decA) * Math.sin(decB) - Math.sin(decA) * Math.cos(decB) * Math.cos(difference);
  const towards = Math.sin(decA) * Math.sin(decB) + Math.cos(decA) * Math.cos(decB) * Math.cos(difference);
  return (Math.atan2(Math.hypot(across, along), towards) * 180) / Math.PI;
}

/** Rounded once, in the smallest unit: 59.996 seconds become a minute and never `60.00`. */
function inSixties(ticks: number, decimals: number): string {
  const unit = 10 ** decimals;
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(ticks / unit);
  const fraction = decimals === 0 ? '' : `.${String(ticks % unit).padStart(decimals, '0')}`;
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${fraction}`;
}

function inRange(raDeg: number, decDeg: number): Position | null {
  return raDeg >= 0 && raDeg < 360 && Math.abs(decDeg) <= 90 ? { raDeg, decDeg } : null;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;
