/** A sky object as the tables hold it. */
import { z } from 'zod';

const starSchema = z.strictObject({
  teff_k: z.number().positive().optional(),
  radius_sun: z.number().positive().optional(),
  mass_sun: z.number().positive().optional(),
  metallicity_dex: z.number().optional(),
  distance_pc: z.number().positive().optional(),
});

const planetSchema = z.strictObject({
  /** Id of the host star's record. */
  host: z.string(),
  period_d: z.number().positive().optional(),
  semimajor_axis_au: z.number().positive().optional(),
  mass_jupiter: z.number().positive().optional(),
  /** True: the mass is m sin i. */
  mass_is_minimum: z.boolean().optional(),
  radius_jupiter: z.number().positive().optional(),
  equilibrium_temperature_k: z.number().positive().optional(),
  discovery_method: z.string().optional(),
  discovery_year: z.int().optional(),
});

export const skyObjectSchema = z.strictObject({
  /** The main name. */
  id: z.string().min(1),
  /** Other names, in both languages. */
  names: z.array(z.string().min(1)),
  name_en: z.string().optional(),
  name_zh: z.string().optional(),
  type: z.string().min(1),
  /** ICRS, epoch J2000, degrees. Both or none: what moves has no fixed place. */
  ra_deg: z.number().min(0).lt(360).optional(),
  dec_deg: z.number().min(-90).max(90).optional(),
  position_accuracy_arcsec: z.number().positive().optional(),
  /** Heliocentric. */
  redshift: z.number().optional(),
  /** Visual. */
  magnitude: z.number().optional(),
  /** B − V. */
  color_bv: z.number().optional(),
  star: starSchema.optional(),
  planet: planetSchema.optional(),
  source: z.enum(['d3-celestial', 'open-exoplanet-catalogue', 'general-knowledge']),
});

export type SkyObject = Readonly<z.infer<typeof skyObjectSchema>>;
