import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '@astroresearch/core';
import {
  createFullTextIndex,
  createManualClock,
  openWorkspace,
  type Tool,
  type ToolContext,
} from '@astroresearch/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shippedWorks } from '../shelf/shipped-works.ts';
import { offlineResearchTools } from './offline-research-tools.ts';

const tools = offlineResearchTools(createFullTextIndex());
const works = shippedWorks();

async function createWorld(language: Language = 'en') {
  const root = await mkdtemp(join(tmpdir(), 'offline-tools-'));
  onTestFinished(() => rm(root, { recursive: true }));
  let id = 0;
  const context: ToolContext = {
    sessionId: 's',
    agentName: 'lead',
    turnIndex: 1,
    step: 1,
    toolCallId: 'c',
    language,
    signal: new AbortController().signal,
    clock: createManualClock(Date.UTC(2026, 3, 1)),
    files: await openWorkspace(root, () => `id-${id++}`),
    tasks: [],
    shownWhole: () => null,
    recall: () => Promise.reject(new Error('nothing is stored here')),
    maxOutputChars: 4000,
  };
  const call = async (name: string, args: unknown) => {
    const tool: Tool | undefined = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(name);
    const { text, failed } = await tool.execute(tool.input.parse(args), context);
    expect(text.length).toBeLessThanOrEqual(4000);
    return { ...JSON.parse(text), failed };
  };
  return { call };
}

describe('search_papers', () => {
  it('finds the works of the demonstration and says that it is offline', async () => {
    const { call } = await createWorld();
    const result = await call('search_papers', { query: 'NGC 1068 neutrino' });
    expect(result).toMatchObject({ ok: true, source: 'offline', retrieved_at: '2026-04-01T00:00:00.000Z' });
    expect(result.note).toMatch(/^Offline/);
    const ids = result.data.papers.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(8);
    expect(ids).toEqual(expect.arrayContaining(['2602.02390', '2509.15421', '2602.15644', '2602.20145']));
    expect(result.data.shelf).toEqual({ works: works.length, newest: '2026-03' });
    const relevances = result.data.papers.map(({ relevance }: { relevance: number }) => relevance);
    expect([relevances[0], relevances]).toEqual([1, [...relevances].sort((a, b) => b - a)]);
    expect(result.truncated).toEqual({ shown: 8, total: result.data.total, how_to_get_more: 'offset=8' });
  });

  it('answers in Chinese', async () => {
    const { call } = await createWorld('zh');
    const result = await call('search_papers', { query: '请问哈勃常数的最新测量有哪些？', limit: 3 });
    expect(result.note).toMatch(/^离线/);
    expect(result.data.papers[0].snippet).toMatch(/\p{Script=Han}/u);
  });

  it.each([
    [{ query: 'zymurgy' }, 'not_found'],
    [{ query: 'Hubble', source: 'ads' }, 'offline'],
    [{ query: 'Hubble', year_from: 2020, year_to: 2010 }, 'invalid_argument'],
    [{ query: 'Hubble', offset: 5000 }, 'invalid_argument'],
  ])('fails with a suggestion for %j', async (args, kind) => {
    const { call } = await createWorld();
    const result = await call('search_papers', args);
    expect(result).toMatchObject({ ok: false, failed: true, error: { kind } });
    expect(result.error.suggestion).not.toBe('');
  });

  it('says that citation counts are not known', async () => {
    const { call } = await createWorld();
    expect((await call('search_papers', { query: 'Cepheid', sort: 'citations' })).note).toMatch(/relevance/);
  });

  it('keeps twenty long hits below the limit by choosing and says how to go on', async () => {
    const { call } = await createWorld();
    const result = await call('search_papers', { query: 'black hole galaxy gravitational waves', limit: 20 });
    expect(result.truncated.shown).toBe(result.data.papers.length);
    expect(result.truncated.how_to_get_more).toBe(`offset=${result.data.papers.length}`);
  });
});

describe('get_paper_metadata', () => {
  it('gives the record with value, error and unit, and the links', async () => {
    const { call } = await createWorld();
    const { data } = await call('get_paper_metadata', { ids: ['arXiv:2602.22407v1'] });
    expect(data.papers[0]).toMatchObject({
      bibcode: '2026arXiv260222407M',
      title: 'Cepheid-based Distances to NGC 4303 and NGC 1068',
      links: { arxiv: 'https://arxiv.org/abs/2602.22407' },
      checked: 'arxiv-metadata',
    });
    expect(data.papers[0].quantities[0]).toMatchObject({ symbol: 'D', value: '10.72 ± 0.52 Mpc' });
  });

  it('names what it did not find, by reason', async () => {
    const { call } = await createWorld();
    const { data } = await call('get_paper_metadata', { ids: ['2112.04510', '2601.99999', 'Riess 2022'] });
    expect(data.papers).toHaveLength(1);
    expect(data.not_found).toEqual([
      { id: '2601.99999', reason: 'not on the offline reference shelf' },
      { id: 'Riess 2022', reason: 'neither an arXiv id nor a DOI nor a bibcode' },
    ]);
  });

  it('fails where nothing was found', async () => {
    const { call } = await createWorld();
    expect(await call('get_paper_metadata', { ids: ['2601.99999'] })).toMatchObject({
      failed: true,
      error: { kind: 'not_found' },
    });
  });

  it('returns the chosen parts only', async () => {
    const { call } = await createWorld();
    const { data } = await call('get_paper_metadata', { ids: ['2602.22407'], fields: ['authors'] });
    expect(Object.keys(data.papers[0])).toEqual([
      'id',
      'arxiv_id',
      'bibcode',
      'doi',
      'title',
      'year',
      'authors',
      'n_authors',
      'checked',
    ]);
  });

  it('fits every record of the shelf, five at a time', async () => {
    for (const language of ['en', 'zh'] as const) {
      const { call } = await createWorld(language);
      for (let start = 0; start < works.length; start += 5) {
        const ids = works.slice(start, start + 5).map(({ id }) => id);
        const { data, truncated } = await call('get_paper_metadata', { ids });
        const left: string[] =
          truncated === undefined ? [] : JSON.parse(truncated.how_to_get_more.replace('ids=', ''));
        expect([...data.papers.map(({ id }: { id: string }) => id), ...left]).toEqual(ids);
      }
    }
  });
});

describe('resolve_target', () => {
  it('resolves NGC 1068 with frame, epoch, redshift, aliases and source', async () => {
    const { call } = await createWorld();
    const { data } = await call('resolve_target', { name: 'ngc1068' });
    expect(data).toMatchObject({
      main_id: 'M 77',
      sexagesimal: '02:42:40.71 -00:00:47.8',
      frame: 'ICRS',
      epoch: 'J2000.0',
      z: 0.003793,
      sources: ['general-knowledge'],
    });
    expect(data.aliases).toContain('NGC 1068');
  });

  it('asks back for an ambiguous name and offers the nearest to an unknown one', async () => {
    const { call } = await createWorld();
    const ambiguous = await call('resolve_target', { name: 'Spindle Galaxy' });
    expect(ambiguous.error.kind).toBe('ambiguous');
    expect(ambiguous.error.candidates).toHaveLength(2);
    expect((await call('resolve_target', { name: 'Betelguese' })).error.nearest[0]).toBe('Betelgeuse');
  });

  it('finds what lies at a position', async () => {
    const { call } = await createWorld();
    const { data } = await call('resolve_target', { coords: '02:42:40.7 -00:00:48' });
    expect(data.neighbours[0]).toMatchObject({ main_id: 'M 77', separation_arcmin: 0 });
    expect((await call('resolve_target', { coords: '10 -89' })).error.kind).toBe('not_found');
    expect((await call('resolve_target', { coords: 'somewhere' })).error.kind).toBe('invalid_argument');
  });

  it('gives no coordinates to what moves', async () => {
    const { call } = await createWorld();
    const { data, note } = await call('resolve_target', { name: '3I/ATLAS' });
    expect(data).not.toHaveProperty('ra_deg');
    expect(note).toMatch(/no fixed coordinates/);
  });

  it('wants a name or a position, not both and not neither', async () => {
    const { call } = await createWorld();
    for (const args of [{}, { name: 'M 1', coords: '1 2' }]) {
      expect((await call('resolve_target', args)).error.kind).toBe('invalid_argument');
    }
  });

  it('gives the host star of K2-18 b what a diagram needs', async () => {
    const { call } = await createWorld();
    expect((await call('resolve_target', { name: 'K2-18 b' })).data.planet.host).toBe('K2-18');
    expect((await call('resolve_target', { name: 'K2-18' })).data.star).toMatchObject({
      teff_k: 3457,
      radius_sun: 0.411,
    });
  });
});

describe('export_bibtex', () => {
  it('returns entries and lists what is missing', async () => {
    const { call } = await createWorld();
    const { data } = await call('export_bibtex', { ids: ['2602.22407', '1807.06209', '2601.99999'] });
    expect(data.bibtex).toContain('@ARTICLE{2020A&A...641A...6P,');
    expect(data).toMatchObject({ entries: 2, missing: ['2601.99999'], missing_count: 1 });
  });

  it('shows as many whole entries as fit and says how to get the others', async () => {
    const { call } = await createWorld();
    const { data, truncated } = await call('export_bibtex', { ids: works.slice(0, 30).map(({ id }) => id) });
    expect(truncated).toMatchObject({ shown: data.entries, total: 30 });
    expect(truncated.how_to_get_more).toContain(works[data.entries]?.id);
    expect(data.bibtex.match(/^@ARTICLE/gm)).toHaveLength(data.entries);
    expect(data.bibtex.endsWith('}')).toBe(true);
  });

  it('only reads, so that nobody has to be asked', () => {
    expect(tools.map(({ effect }) => effect)).toEqual(['read', 'read', 'read', 'read']);
  });
});

describe('offline research tools', () => {
  it('say everything in both languages', () => {
    for (const { summary, description } of tools) {
      for (const text of [summary, description]) {
        expect(text.zh).toMatch(/\p{Script=Han}/u);
        expect(text.en).not.toMatch(/\p{Script=Han}/u);
      }
    }
  });
});
