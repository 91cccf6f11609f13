/** `resolve_target`: a name or a position to an object with coordinates; asks back rather than guess (astro.md, Tools). */
import type { Language } from '@astroresearch/core';
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '@astroresearch/runtime';
import { z } from 'zod';
import { type Position, parsePosition, separationDeg, sexagesimal } from '../objects/coordinates.ts';
import type { ObjectResolver } from '../objects/resolve-object.ts';
import type { SkyObject } from '../objects/sky-object.ts';
import { failure, success } from './result.ts';

const input = z.object({
  name: z.string().min(1).max(200).optional().meta({
    description: 'Name of an object, in English or Chinese',
    zh: '天体名称，中文或英文',
    example: 'NGC 1068',
  }),
  coords: z.string().min(1).max(100).optional().meta({
    description: 'ICRS position instead of a name: degrees or sexagesimal, such as 02:42:40.7 -00:00:48',
    zh: '用 ICRS 坐标代替名称：度或时分秒，例如 02:42:40.7 -00:00:48',
  }),
});

const MAX_ALIASES = 10;
const MAX_NEIGHBOURS = 5;
/** How far from a position its neighbours may be, arcminutes. */
const NEIGHBOUR_RADIUS_ARCMIN = 60;

type Parts = { readonly resolver: ObjectResolver; readonly objects: readonly SkyObject[] };

export function resolveTargetTool(parts: Parts): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'resolve_target',
    summary: { zh: '解析天体名称或坐标', en: 'Resolve an object name or position' },
    description: {
      zh: '把天体名称或坐标解析为主名称、类型、ICRS 坐标、红移、别名和来源。name 与 coords 只给一个。名称有歧义时返回候选。',
      en: 'Turns the name of an object or a position into main name, type, ICRS coordinates, redshift, aliases and source. Give name or coords, not both. An ambiguous name comes back with candidates.',
    },
    input,
    effect: 'read',
    async execute({ name, coords }, context) {
      const { language } = context;
      if ((name === undefined) === (coords === undefined)) {
        return failure('invalid_argument', oneOfText[language], chooseText[language]);
      }
      const position = parsePosition(coords ?? name ?? '');
      if (position !== null) return neighbours(position, parts.objects, context);
      if (name === undefined)
        return failure('invalid_argument', coordsText[language], coordsFormText[language]);
      return named(name, parts.resolver, context);
    },
  });
}

function named(name: string, resolver: ObjectResolver, context: ToolContext): ToolOutput {
  const { language } = context;
  const resolution = resolver.resolve(name);
  switch (resolution.kind) {
    case 'found': {
      const fixed = resolution.object.ra_deg !== undefined;
      return success(context, targetOf(resolution.object), {
        note: fixed ? noteText[language] : noPlaceText[language],
      });
    }
    case 'ambiguous':
      return failure('ambiguous', ambiguousText(name)[language], askText[language], {
        candidates: resolution.candidates.map(({ id, type, name_en, name_zh }) => ({
          main_id: id,
          type,
          name_en,
          name_zh,
        })),
      });
    case 'not-found':
      return failure('not_found', unknownText(name)[language], spellingText[language], {
        nearest: resolution.nearest,
      });
    default:
      return resolution satisfies never;
  }
}

function neighbours(position: Position, objects: readonly SkyObject[], context: ToolContext): ToolOutput {
  const { language } = context;
  const near = objects
    .flatMap((object) => {
      const place = placeOf(object);
      return place === null ? [] : [{ object, arcminutes: separationDeg(position, place) * 60 }];
    })
    .filter(({ arcminutes }) => arcminutes <= NEIGHBOUR_RADIUS_ARCMIN)
    .sort((a, b) => a.arcminutes - b.arcminutes)
    .slice(0, MAX_NEIGHBOURS);
  if (near.length === 0) return failure('not_found', emptySkyText[language], nameInsteadText[language]);
  const data = {
    ra_deg: position.raDeg,
    dec_deg: position.decDeg,
    sexagesimal: sexagesimal(position),
    frame: 'ICRS',
    neighbours: near.map(({ object, arcminutes }) => ({
      separation_arcmin: Number(arcminutes.toFixed(2)),
      main_id: object.id,
      name_en: object.name_en,
      name_zh: object.name_zh,
      type: object.type,
    })),
  };
  return success(context, data, { note: noteText[language] });
}

function targetOf(object: SkyObject) {
  const place = placeOf(object);
  return {
    main_id: object.id,
    name_en: object.name_en,
    name_zh: object.name_zh,
    type: object.type,
    ...(place === null
      ? {}
      : {
          ra_deg: place.raDeg,
          dec_deg: place.decDeg,
          sexagesimal: sexagesimal(place),
          frame: 'ICRS',
          epoch: 'J2000.0',
          position_accuracy_arcsec: object.position_accuracy_arcsec,
        }),
    z: object.redshift,
    magnitude_v: object.magnitude,
    color_bv: object.color_bv,
    star: object.star,
    planet: object.planet,
    aliases: object.names.slice(0, MAX_ALIASES),
    sources: [object.source],
  };
}

function placeOf({ ra_deg, dec_deg }: SkyObject): Position | null {
  return ra_deg === undefined || dec_deg === undefined ? null : { raDeg: ra_deg, decDeg: dec_deg };
}

type Texts = Readonly<Record<Language, string>>;
const oneOfText: Texts = {
  zh: 'name 和 coords 必须且只能给一个。',
  en: 'Give name or coords, exactly one of them.',
};
const chooseText: Texts = { zh: '知道名称时给 name。', en: 'Give name where a name is known.' };
const coordsText: Texts = { zh: '无法读取坐标。', en: 'The position cannot be read.' };
const coordsFormText: Texts = {
  zh: '用两个十进制度数“40.67 -0.013”，或“02:42:40.7 -00:00:48”。',
  en: 'Write two decimal degrees, "40.67 -0.013", or "02:42:40.7 -00:00:48".',
};
const noteText: Texts = {
  zh: '离线：来自随产品附带的天体表，没有查询 SIMBAD 或 NED。',
  en: 'Offline: from the tables that ship with the product; SIMBAD and NED were not asked.',
};
const noPlaceText: Texts = {
  zh: '离线记录；该天体没有固定坐标（移动天体，或定位区域很大）。',
  en: 'Offline record; this object has no fixed coordinates (it moves, or its localisation is wide).',
};
const ambiguousText = (name: string): Texts => ({
  zh: `“${name}”对应多个天体。`,
  en: `"${name}" fits several objects.`,
});
const askText: Texts = {
  zh: '用候选的 main_id 重试；无法判断时询问用户。',
  en: 'Call again with the main_id of a candidate; if it is not clear which, ask the user.',
};
const unknownText = (name: string): Texts => ({
  zh: `离线天体表中没有“${name}”。`,
  en: `"${name}" is not in the offline tables.`,
});
const spellingText: Texts = {
  zh: '检查拼写，或试用 NGC、Messier、HD 等编号；不要凭记忆给出坐标。',
  en: 'Check the spelling or try its NGC, Messier or HD number; do not give coordinates from memory.',
};
const emptySkyText: Texts = {
  zh: '离线天体表中，该位置 1 度以内没有天体。',
  en: 'The offline tables hold no object within one degree of this position.',
};
const nameInsteadText: Texts = { zh: '改用天体名称。', en: 'Use the name of the object instead.' };
