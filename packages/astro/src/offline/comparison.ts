/** Puts values of one quantity side by side and says by how many sigma they differ; never averages (astro.md, principle 4). */
import { nameKey } from '../objects/name-key.ts';
import { parseQuantityText } from '../shelf/parse-quantity-text.ts';
import type { PaperQuantity, PaperRecord } from './tool-results.ts';

export type ComparedValue = { readonly paper: PaperRecord; readonly quantity: PaperQuantity };

export type Difference = {
  readonly low: ComparedValue;
  readonly high: ComparedValue;
  /** Errors taken as independent and Gaussian; on each side the error that faces the other value. */
  readonly sigma: number;
};

export type Comparison = {
  /** As the records name it, in English. */
  readonly name: string;
  /** By year; of two works at least. */
  readonly values: readonly ComparedValue[];
  /** Of different works whose values both have errors; the largest first. */
  readonly differences: readonly Difference[];
  /** The one to name first: the largest between refereed works, else the largest. */
  readonly widest: Difference | null;
};

/** Values that differ by less agree. */
export const NOTABLE_SIGMA = 2;

/** Quantities of the universe, not of one object: the same for every work. */
const UNIVERSAL = new Set([
  'Hubble constant',
  'dimensionless Hubble constant',
  'matter density',
  'fluctuation amplitude',
  'clumpiness',
  'scalar spectral index',
  'dark energy equation of state',
  'background temperature',
  'optical depth to reionisation',
  'characteristic strain amplitude at 1/yr',
]);

/** Units of one kind, as powers of ten of the smallest. */
const LENGTHS: Readonly<Record<string, number>> = { pc: 0, kpc: 3, Mpc: 6, Gpc: 9 };

/** Quantities that two works or more give, in the order of the records. */
export function compareQuantities(papers: readonly PaperRecord[]): readonly Comparison[] {
  const groups = new Map<string, ComparedValue[]>();
  for (const paper of papers) {
    for (const quantity of paper.quantities) {
      const measured = parseQuantityText(quantity.value);
      if (measured === null || measured.limit !== null) continue;
      const unit = measured.unit in LENGTHS ? 'length' : measured.unit;
      const key = `${quantity.name}|${unit}|${thingOf(paper, quantity)}`;
      groups.set(key, [...(groups.get(key) ?? []), { paper, quantity }]);
    }
  }
  return [...groups.values()]
    .filter((values) => new Set(values.map(({ paper }) => paper.id)).size > 1)
    .map((values) => {
      const between = differences(values);
      return {
        name: values[0]?.quantity.name ?? '',
        values: [...values].sort((a, b) => a.paper.year - b.paper.year),
        differences: between,
        widest: between.find(areRefereed) ?? between[0] ?? null,
      };
    });
}

const areRefereed = ({ low, high }: Difference) =>
  low.paper.refereed === true && high.paper.refereed === true;

/** The work's main object, where the quantity is of an object that its name does not tell. */
function thingOf(paper: PaperRecord, { name }: PaperQuantity): string {
  return UNIVERSAL.has(name) ? '' : nameKey(paper.objects[0] ?? paper.id);
}

function differences(values: readonly ComparedValue[]): readonly Difference[] {
  const intervals = values.flatMap((one) => intervalOf(one) ?? []);
  return intervals
    .flatMap((a, index) => intervals.slice(index + 1).map((b) => (a.value <= b.value ? [a, b] : [b, a])))
    .flatMap(([low, high]): readonly Difference[] => {
      if (low === undefined || high === undefined || low.of.paper.id === high.of.paper.id) return [];
      const sigma = (high.value - low.value) / Math.hypot(low.plus, high.minus);
      return [{ low: low.of, high: high.of, sigma }];
    })
    .sort((a, b) => b.sigma - a.sigma);
}

type Interval = {
  readonly of: ComparedValue;
  readonly value: number;
  readonly plus: number;
  readonly minus: number;
};

/** Null: it has no error. Statistical and systematic errors add in quadrature. */
function intervalOf(of: ComparedValue): Interval | null {
  const measured = parseQuantityText(of.quantity.value);
  if (measured === null) return null;
  const { error, systematic, unit } = measured;
  if (error === null && systematic === null) return null;
  const scale = 10 ** (LENGTHS[unit] ?? 0);
  const total = (text: string | undefined) => scale * Math.hypot(Number(text ?? 0), Number(systematic ?? 0));
  return {
    of,
    value: scale * Number(measured.value),
    plus: total(error?.plus),
    minus: total(error?.minus),
  };
}
