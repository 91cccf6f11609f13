/** A work on the reference shelf: bibliographic facts, measured values and a note in our own words (astro.md, The offline default). */
import { z } from 'zod';

const quantitySchema = z.strictObject({
  /** What was measured, in words. */
  name: z.string().min(1),
  symbol: z.string().optional(),
  /** Central value, or the limit where `limit` is set. */
  value: z.number(),
  /** Symmetric error, one sigma; statistical where `err_sys` stands beside it. */
  err: z.number().positive().optional(),
  err_plus: z.number().positive().optional(),
  err_minus: z.number().positive().optional(),
  err_sys: z.number().positive().optional(),
  limit: z.enum(['upper', 'lower']).optional(),
  /** Empty: the number has no unit. */
  unit: z.string(),
  method: z.string().optional(),
  /** The few words of the paper in which the value stands. */
  quote: z.string().max(120).optional(),
});

/** Contract: whoever adds a record checked its identifiers; what is not certain is left out of it. */
export const workSchema = z.strictObject({
  /** arXiv id without version where there is one, else the bibcode. */
  id: z.string().min(1),
  arxiv_id: z.string().optional(),
  bibcode: z.string().length(19).optional(),
  doi: z.string().optional(),
  title: z.string().min(1),
  /** The first three at most, `Family, Given`; a collaboration has no comma. */
  authors: z.array(z.string().min(1)).min(1).max(3),
  /** Left out: there may be more than are listed. */
  n_authors: z.int().positive().optional(),
  year: z.int().min(1800).max(2100),
  journal: z.string().optional(),
  volume: z.string().optional(),
  page: z.string().optional(),
  /** Left out: not known. */
  refereed: z.boolean().optional(),
  category: z.string().optional(),
  objects: z.array(z.string().min(1)),
  topics: z.array(z.string().regex(/^[a-z0-9-]+$/)).min(1),
  quantities: z.array(quantitySchema),
  note_en: z.string().min(1),
  note_zh: z.string().min(1),
  checked: z.enum(['arxiv-metadata', 'general-knowledge']),
});

export type Quantity = Readonly<z.infer<typeof quantitySchema>>;
export type Work = Readonly<z.infer<typeof workSchema>>;
