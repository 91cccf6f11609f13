/** Every object that ships with the product, read and validated. */
import { z } from 'zod';
import brightStars from './bright-stars.data.json' with { type: 'json' };
import exoplanetSystems from './exoplanet-systems.data.json' with { type: 'json' };
import famousObjects from './famous-objects.data.json' with { type: 'json' };
import messier from './messier.data.json' with { type: 'json' };
import { type SkyObject, skyObjectSchema } from './sky-object.ts';

const FILES: readonly unknown[] = [messier, famousObjects, exoplanetSystems, brightStars];

/** Throws where a file holds what is no object: a mistake in the product, caught by its tests. */
export function shippedObjects(): readonly SkyObject[] {
  return FILES.flatMap((file) => z.array(skyObjectSchema).parse(file));
}
