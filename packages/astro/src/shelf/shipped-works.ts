/** Every record that ships with the product, read and validated. */
import { z } from 'zod';
import { type Work, workSchema } from './work.ts';
import blackHoles from './works-black-holes.data.json' with { type: 'json' };
import cosmicBackground from './works-cosmic-background.data.json' with { type: 'json' };
import darkEnergy from './works-dark-energy.data.json' with { type: 'json' };
import distanceScale from './works-distance-scale.data.json' with { type: 'json' };
import exoplanets from './works-exoplanets.data.json' with { type: 'json' };
import foundations from './works-foundations.data.json' with { type: 'json' };
import gaia from './works-gaia.data.json' with { type: 'json' };
import galaxyEvolution from './works-galaxy-evolution.data.json' with { type: 'json' };
import gravitationalWaves from './works-gravitational-waves.data.json' with { type: 'json' };
import hubbleTension from './works-hubble-tension.data.json' with { type: 'json' };
import interstellarObjects from './works-interstellar-objects.data.json' with { type: 'json' };
import k218 from './works-k2-18.data.json' with { type: 'json' };
import ngc1068Neutrinos from './works-ngc-1068-neutrinos.data.json' with { type: 'json' };
import pulsars from './works-pulsars.data.json' with { type: 'json' };

const FILES: readonly unknown[] = [
  blackHoles,
  cosmicBackground,
  darkEnergy,
  distanceScale,
  exoplanets,
  foundations,
  gaia,
  galaxyEvolution,
  gravitationalWaves,
  hubbleTension,
  interstellarObjects,
  k218,
  ngc1068Neutrinos,
  pulsars,
];

/** Throws where a file holds what is no work: a mistake in the product, caught by its tests. */
export function shippedWorks(): readonly Work[] {
  return FILES.flatMap((file) => z.array(workSchema).parse(file));
}
