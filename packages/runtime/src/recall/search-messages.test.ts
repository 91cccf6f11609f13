import { describe, expect, it } from 'vitest';
import { createWorld, refsOf, type Said, textsOf } from './stored-session.contract.ts';

async function sessionOf(...said: readonly (string | Said)[]) {
  const world = createWorld();
  await world.put(
    's',
    said.map((one) => (typeof one === 'string' ? { role: 'user', text: one } : one)),
  );
  return { ...world, find: async (query: string) => refsOf(await world.ask({ query })) };
}

const padding = (words: number) => 'lorem ipsum '.repeat(words);

describe('recall by query', () => {
  it('finds words in any case and width, and Chinese words of two characters', async () => {
    const { find } = await sessionOf(
      'NGC 1068 at 14.4 Mpc',
      '造父变星的周光关系',
      'ｎｇｃ　１０６８ ﬁeld',
      'ÉTOILE Straße',
    );
    expect(await find('ngc 1068')).toEqual(['m1']);
    expect(await find('变星')).toEqual(['m2']);
    expect(await find('ＭＰＣ')).toEqual(['m1']);
    expect(await find('étoile')).toEqual(['m4']);
    expect(await find('１０６８')).toEqual(['m3', 'm1']);
    expect(await find('quasar')).toEqual([]);
  });

  it('finds full-width letters by plain ones where nothing else has all the words', async () => {
    const { find } = await sessionOf('目标是 ＨＤ２０９４５８', 'something else');
    expect(await find('hd209458')).toEqual(['m1']);
  });

  it('puts first what has all words, then what has the rarer ones; of equals the newest', async () => {
    const { find } = await sessionOf(
      'galaxy cepheid',
      'galaxy',
      'cepheid',
      'galaxy',
      'galaxy cepheid distance',
      'galaxy cepheid',
    );
    expect(await find('cepheid distance galaxy')).toEqual(['m5', 'm6', 'm1']);
    expect(await find('cepheid galaxy')).toEqual(['m6', 'm5', 'm1', 'm3']);
  });

  it('puts first what has the words as they were given', async () => {
    const { find } = await sessionOf(
      'the constant of Hubble',
      'the Hubble constant',
      'Hubble has a constant',
    );
    expect((await find('Hubble constant'))[0]).toBe('m2');
    const chinese = await sessionOf('哈勃的常数，常数与勃常', '测得哈勃常数为 73', '勃常 哈勃 常数');
    expect((await chinese.find('哈勃常数'))[0]).toBe('m2');
  });

  it('searches the whole output of a result that was cut, and says where in it the hit stands', async () => {
    const whole = `HEAD ${padding(400)}MIDDLE-MARK-88 ${padding(400)}TAIL`;
    const { ask } = await sessionOf('read it', { role: 'tool', name: 'read_file', text: whole, cut: 300 });
    const outcome = await ask({ query: 'middle-mark-88', limitChars: 400 });
    const [item] = outcome.kind === 'hits' ? outcome.items : [];
    expect(item).toMatchObject({ ref: 'm2', role: 'tool', name: 'read_file', totalChars: whole.length });
    expect(item?.text).toContain('MIDDLE-MARK-88');
    expect(whole.slice(item?.offset, item?.nextOffset ?? undefined)).toBe(item?.text);
  });

  it('does not find what only the note about a cut says', async () => {
    const { find } = await sessionOf({ role: 'tool', text: padding(400), cut: 300 });
    expect(await find('recall_context')).toEqual([]);
    expect(await find('left out here')).toEqual([]);
  });

  it('searches the stored text where the whole output is damaged', async () => {
    const { ask, outputs } = await sessionOf({ role: 'tool', text: `HEAD-MARK ${padding(400)}`, cut: 300 });
    outputs.read = async () => ({ kind: 'damaged' });
    expect(await ask({ query: 'head-mark' })).toMatchObject({ items: [{ ref: 'm1', fault: 'damaged' }] });
  });

  it('never finds its own calls and results', async () => {
    const { ask } = await sessionOf(
      'the secret is xylograph',
      {
        role: 'assistant',
        text: 'I look for xylograph.',
        calls: [
          { name: 'recall_context', arguments: `{"query":"xylograph","note":"${padding(40)}xylograph"}` },
        ],
      },
      { role: 'tool', name: 'recall_context', text: 'm1: xylograph' },
      { role: 'tool', name: 'recall_context', text: `m1: xylograph ${padding(90)}`, cut: 200 },
      {
        role: 'assistant',
        text: '',
        calls: [{ name: 'recall_context', arguments: '{"query":"xylograph"}' }],
      },
    );
    const outcome = await ask({ query: 'xylograph' });
    expect(refsOf(outcome)).toEqual(['m2', 'm1']);
    expect(textsOf(outcome)[0]).toMatch(/^I look for xylograph/);
  });

  it('does not rank or show a message by its own calls', async () => {
    const { ask } = await sessionOf(
      {
        role: 'assistant',
        text: `galaxy ${padding(90)}`,
        calls: [{ name: 'recall_context', arguments: '{"query":"quasar galaxy"}' }],
      },
      'quasar and galaxy',
    );
    const outcome = await ask({ query: 'quasar galaxy', limitChars: 300 });
    expect(refsOf(outcome)).toEqual(['m2']);
    expect(textsOf(await ask({ query: 'quasar galaxy', ref: 'm1', limitChars: 300 }))[0]).toMatch(/^galaxy/);
  });

  it('puts all words before a phrase that lacks one of them', async () => {
    const { find } = await sessionOf('NGC；哈勃；勃常；常数', '哈勃常数', 'NGC', 'NGC', 'NGC', 'NGC', 'NGC');
    expect((await find('NGC 哈勃常数')).slice(0, 2)).toEqual(['m1', 'm2']);
  });

  it('searches no long output of another agent', async () => {
    const { ask } = await sessionOf('mine', {
      role: 'tool',
      agentName: 'sub_1',
      text: `${padding(90)} quasar ${padding(90)}`,
      cut: 200,
    });
    expect(await ask({ query: 'quasar' })).toMatchObject({ items: [], total: 0 });
    expect(refsOf(await ask({ query: 'quasar', agentName: '*' }))).toEqual(['m2']);
  });

  it('finds calls by what they were given, but no system prompts', async () => {
    const { find } = await sessionOf(
      { role: 'system', text: 'query_simbad is for M31' },
      { role: 'assistant', text: '', calls: [{ name: 'query_simbad', arguments: '{"object":"M31"}' }] },
    );
    expect(await find('M31')).toEqual(['m2']);
    expect(await find('query_simbad')).toEqual(['m2']);
  });

  it('searches inside a ref where both are given', async () => {
    const { ask } = await sessionOf('quasar one', 'quasar two', 'quasar three');
    expect(refsOf(await ask({ query: 'quasar', ref: 'm2' }))).toEqual(['m2']);
    expect(refsOf(await ask({ query: 'quasar', ref: 'm2-m3' }))).toEqual(['m3', 'm2']);
    expect(refsOf(await ask({ query: 'quasar', ref: 'm9' }))).toEqual([]);
  });

  it('pages through all hits, each once', async () => {
    const world = await sessionOf(...Array.from({ length: 30 }, (_, index) => `quasar ${index}`));
    const seen: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const outcome = await world.ask({ query: 'quasar', offset });
      if (outcome.kind !== 'hits') return expect.fail(outcome.kind);
      expect(outcome.total).toBe(30);
      seen.push(...refsOf(outcome));
      offset = outcome.next;
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => `m${30 - index}`));
    expect(await world.ask({ query: 'quasar', offset: 30 })).toMatchObject({
      items: [],
      total: 30,
      next: null,
    });
  });

  it('keeps all excerpts together within the limit', async () => {
    const { ask } = await sessionOf(
      ...Array.from({ length: 20 }, () => `${padding(90)} quasar ${padding(90)}`),
    );
    for (const limitChars of [150, 400, 1_000, 4_000]) {
      const texts = textsOf(await ask({ query: 'quasar', limitChars, itemChars: 50 }));
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.reduce((sum, text) => sum + text.length + 50, 0)).toBeLessThanOrEqual(limitChars);
      for (const text of texts) expect(text).toContain('quasar');
    }
  });

  it('searches the newest long outputs, and says how many it left', async () => {
    const { ask, store } = await sessionOf(
      { role: 'tool', text: `old quasar ${padding(400)}`, cut: 200 },
      { role: 'tool', text: `new quasar ${padding(400)}`, cut: 200 },
    );
    const { readCutResults } = store;
    store.readCutResults = async (...span) =>
      (await readCutResults(...span)).map((message) => ({
        ...message,
        fullOutput: { sha256: message.fullOutput?.sha256 ?? '', chars: 20_000_000 },
      }));
    const outcome = await ask({ query: 'quasar lorem' });
    expect(outcome).toMatchObject({ unsearchedOutputs: 1 });
    expect(refsOf(outcome)[0]).toBe('m2');
  });
});
