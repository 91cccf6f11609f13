/** What the tables hold of an object, as one line of an answer. */
import type { Language } from '@astroresearch/core';
import { plainText } from './markdown.ts';
import type { Target } from './tool-results.ts';

/** Name, type, position with frame and epoch, redshift and what else is known, and where it comes from. */
export function targetText(target: Target, language: Language): string {
  const zh = language === 'zh';
  const facts = [
    plainText(target.type),
    position(target, zh),
    target.z === undefined ? null : `$z = ${target.z}$`,
    target.magnitude_v === undefined ? null : `$V = ${target.magnitude_v}$`,
    ...starFacts(target, zh),
    ...planetFacts(target, zh),
  ].filter((fact) => fact !== null);
  const own = language === 'zh' ? target.name_zh : target.name_en;
  const others = [own, ...target.aliases].filter((name) => name !== undefined && name !== target.main_id);
  const names = [...new Set(others)].slice(0, MAX_NAMES).map((name) => plainText(name ?? ''));
  const title = `**${plainText(target.main_id)}**${names.length === 0 ? '' : zh ? `（${names.join('、')}）` : ` (${names.join(', ')})`}`;
  const sources = target.sources.map((source) => SOURCES[source]?.[language] ?? plainText(source)).join(', ');
  return zh
    ? `${title}：${facts.join('；')}。来源：离线天体表（${sources}）。`
    : `${title}: ${facts.join('; ')}. Source: offline tables (${sources}).`;
}

const MAX_NAMES = 3;

const SOURCES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'general-knowledge': { zh: '公认值', en: 'commonly accepted values' },
  'open-exoplanet-catalogue': { zh: 'Open Exoplanet Catalogue', en: 'Open Exoplanet Catalogue' },
};

function position(target: Target, zh: boolean): string | null {
  const {
    ra_deg,
    dec_deg,
    sexagesimal,
    frame = 'ICRS',
    epoch = '',
    position_accuracy_arcsec: accuracy,
  } = target;
  if (ra_deg === undefined || dec_deg === undefined) return zh ? '无固定坐标' : 'no fixed position';
  const good = accuracy === undefined ? '' : zh ? `，精度约 ${accuracy}″` : `, good to about ${accuracy}″`;
  const degrees = `${ra_deg}°, ${dec_deg}°`;
  const where = zh ? '坐标' : 'position';
  const system = `${frame} ${epoch}`.trim();
  if (zh) return `${where} ${sexagesimal ?? degrees}（${system}；${degrees}${good}）`;
  return `${where} ${sexagesimal ?? degrees} (${system}; ${degrees}${good})`;
}

function starFacts({ star }: Target, zh: boolean): readonly string[] {
  if (star === undefined) return [];
  const { teff_k, radius_sun, mass_sun, distance_pc } = star;
  return [
    teff_k === undefined ? [] : `$T_{\\mathrm{eff}} = ${teff_k}\\ \\mathrm{K}$`,
    mass_sun === undefined ? [] : `$M = ${mass_sun}\\ M_\\odot$`,
    radius_sun === undefined ? [] : `$R = ${radius_sun}\\ R_\\odot$`,
    distance_pc === undefined ? [] : `${zh ? '距离' : 'distance'} $${distance_pc}\\ \\mathrm{pc}$`,
  ].flat();
}

function planetFacts({ planet }: Target, zh: boolean): readonly string[] {
  if (planet === undefined) return [];
  const { host, period_d, semimajor_axis_au, mass_jupiter, radius_jupiter, discovery_year } = planet;
  const minimum = planet.mass_is_minimum === true ? 'M \\sin i' : 'M';
  return [
    host === undefined ? [] : `${zh ? '宿主恒星' : 'host'} ${plainText(String(host))}`,
    period_d === undefined ? [] : `$P = ${period_d}\\ \\mathrm{d}$`,
    semimajor_axis_au === undefined ? [] : `$a = ${semimajor_axis_au}\\ \\mathrm{au}$`,
    mass_jupiter === undefined ? [] : `$${minimum} = ${mass_jupiter}\\ M_\\mathrm{J}$`,
    radius_jupiter === undefined ? [] : `$R = ${radius_jupiter}\\ R_\\mathrm{J}$`,
    discovery_year === undefined ? [] : zh ? `${discovery_year} 年发现` : `discovered ${discovery_year}`,
  ].flat();
}
