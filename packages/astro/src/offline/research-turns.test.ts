import { type Message, textOf, toolCallsOf } from '@astroresearch/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifierText, parseIdentifier } from '../citation/identifier.ts';
import { shippedObjects } from '../objects/shipped-objects.ts';
import { shippedWorks } from '../shelf/shipped-works.ts';
import { createResearchAgent } from '../testing/research-agent.ts';

const HUBBLE = 'How large is the Hubble tension, and which measurements disagree?';
const NGC_1068 = 'NGC 1068 是否为中微子源？距离用哪个值？';

const linksIn = (answer: string) =>
  [...answer.matchAll(/\]\((https:[^)\s]+)\)/g)].map((match) => match[1] ?? '');
const idsCited = (answer: string) =>
  linksIn(answer).map((link) => {
    const identifier = parseIdentifier(link);
    if (identifier === null) throw new Error(`no identifier: ${link}`);
    return identifierText(identifier);
  });
const resultsOf = (messages: readonly Message[]) =>
  messages
    .filter(({ role }) => role === 'tool')
    .map(textOf)
    .join('\n');
const callsOf = (messages: readonly Message[]) =>
  messages.flatMap(toolCallsOf).map(({ name, arguments: given }) => ({ name, given: JSON.parse(given) }));
const repliesOf = (messages: readonly Message[]) =>
  messages.filter(({ role }) => role === 'assistant').length;

describe('the offline researcher in an agent', () => {
  it('answers the Chinese question about NGC 1068 with neutrinos, a distance and their sources', async () => {
    const { ask, newSession, agent } = createResearchAgent();
    const session = await newSession();
    const { answer, messages, end } = await ask(session, NGC_1068);
    expect(end).toEqual({ kind: 'done', status: 'completed' });
    expect(answer.split('\n')[0]).toMatch(/离线研究助手：没有使用语言模型/);
    expect(answer).toContain('$D = 10.72 \\pm 0.52\\ \\mathrm{Mpc}$');
    expect(answer).toContain('4.9\\,\\sigma');
    expect(idsCited(answer)).toEqual(expect.arrayContaining(['2211.09972', '2602.02390', '2602.22407']));
    expect(answer).toMatch(/02:42:40\.71 -00:00:47\.8（ICRS J2000\.0/);
    expect(repliesOf(messages)).toBeLessThanOrEqual(5);
    const tasks = await agent.readTasks(session);
    expect(tasks?.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('answers the English question about the Hubble tension with both sides and their difference', async () => {
    const { ask, newSession } = createResearchAgent();
    const { answer, messages } = await ask(await newSession(), HUBBLE);
    expect(answer.split('\n')[0]).toMatch(/Offline researcher: no language model was used/);
    expect(answer).toContain('$H_0 = 73.04 \\pm 1.04\\ \\mathrm{km\\,s^{-1}\\,Mpc^{-1}}$');
    expect(answer).toContain('$H_0 = 67.4 \\pm 0.5\\ \\mathrm{km\\,s^{-1}\\,Mpc^{-1}}$');
    expect(answer).toContain('**4.9σ**');
    expect(answer).toContain('| Value | Method | Reference |');
    expect(answer).not.toMatch(/\p{Script=Han}/u);
    expect(idsCited(answer)).toEqual(expect.arrayContaining(['2112.04510', '1807.06209']));
    expect(repliesOf(messages)).toBeLessThanOrEqual(5);
  });

  it('plans first, keeps the plan up to date, and reads before it answers', async () => {
    const { ask, newSession } = createResearchAgent();
    const { messages } = await ask(await newSession(), NGC_1068);
    const names = messages.map((message) => toolCallsOf(message).map(({ name }) => name));
    expect(names.filter((calls) => calls.length > 0)).toEqual([
      ['todo_write', 'search_papers', 'resolve_target'],
      ['todo_write', 'get_paper_metadata', 'get_paper_metadata', 'get_paper_metadata'],
      ['todo_write'],
    ]);
  });

  it('takes the object of a follow-up from the question before', async () => {
    const { ask, newSession } = createResearchAgent();
    const session = await newSession();
    await ask(session, 'Is NGC 1068 a neutrino source?');
    const { answer, messages } = await ask(session, 'And its distance?');
    expect(callsOf(messages).find(({ name }) => name === 'search_papers')?.given.query).toMatch(/^NGC 1068 /);
    expect(idsCited(answer)[0]).toBe('2602.22407');
  });

  it('does not take it where the question has a subject of its own', async () => {
    const { ask, newSession } = createResearchAgent();
    const session = await newSession();
    await ask(session, 'Is NGC 1068 a neutrino source?');
    const { messages } = await ask(session, 'What is the Hubble constant?');
    expect(callsOf(messages).find(({ name }) => name === 'search_papers')?.given.query).toBe(
      'What is the Hubble constant?',
    );
  });

  it('goes on where it stopped, until there is no more', async () => {
    const { ask, newSession } = createResearchAgent();
    const session = await newSession();
    const first = await ask(session, 'K2-18 b 上有二甲基硫吗？');
    const second = await ask(session, '继续');
    const works = ({ answer }: { answer: string }) => new Set(idsCited(answer));
    expect([...works(second)].filter((id) => works(first).has(id))).toEqual([]);
    expect(works(second).size).toBeGreaterThan(0);
    expect((await ask(session, '继续')).answer).toMatch(/没有更多结果/);
  });

  it('exports BibTeX of the works cited so far', async () => {
    const { ask, newSession } = createResearchAgent();
    const session = await newSession();
    const { answer } = await ask(session, NGC_1068);
    const exported = await ask(session, '导出引用条目');
    const eprints = [...exported.answer.matchAll(/eprint = \{([^}]+)\}/g)].map((match) => match[1]);
    expect(new Set(eprints)).toEqual(new Set(idsCited(answer)));
    expect(exported.end).toEqual({ kind: 'done', status: 'completed' });
  });

  it('exports BibTeX of given ids, and of works that are described', async () => {
    const { ask, newSession } = createResearchAgent();
    const given = await ask(await newSession(), 'BibTeX for 2602.22407 and 1807.06209 please');
    expect(given.answer.match(/^@ARTICLE/gm)).toHaveLength(2);
    const described = await ask(
      await newSession(),
      'BibTeX for the SH0ES measurement of the Hubble constant',
    );
    expect(described.answer).toContain('@ARTICLE{2022ApJ...934L...7R,');
    const nothing = await ask(await newSession(), 'export bibtex');
    expect(nothing.answer).toMatch(/nothing to export/);
  });

  it.each([1, 2, 3])('still answers where only %d steps are allowed', async (maxSteps) => {
    const { ask, newSession } = createResearchAgent();
    const { answer, end } = await ask(await newSession(), HUBBLE, { maxSteps });
    expect(end).toMatchObject({ kind: 'done' });
    expect(answer).toMatch(/^\*Offline researcher/);
    if (maxSteps > 1) expect(idsCited(answer)).toEqual(expect.arrayContaining(['2112.04510']));
  });

  it('says what it did not find, and what to try', async () => {
    const { ask, newSession } = createResearchAgent();
    const { answer } = await ask(await newSession(), '月饼的做法');
    expect(answer).toMatch(/未找到来源/);
    expect(answer).toMatch(/可以试试/);
    expect(linksIn(answer)).toEqual([]);
  });

  it('says that an object is unknown, and gives no result of others for it', async () => {
    const { ask, newSession } = createResearchAgent();
    const { answer } = await ask(await newSession(), 'NGC 99999 distance');
    expect(answer).toMatch(/No work on the shelf is about this object/);
    expect(answer).toMatch(/"NGC 99999" is not in the offline tables/);
    expect(answer).not.toMatch(/### Direct answer/);
  });

  it('answers in the language of each question', async () => {
    const { ask, newSession } = createResearchAgent();
    const session = await newSession();
    await ask(session, NGC_1068);
    const english = await ask(session, 'What is the distance of NGC 4258?');
    expect(english.answer.replace(/\*\*M 106\*\*.*/g, '')).not.toMatch(/\p{Script=Han}/u);
    expect((await ask(session, '哈勃常数是多少？')).answer).toMatch(/^\*离线研究助手/);
  });

  it('gives the position of an object first where that is asked', async () => {
    const { ask, newSession } = createResearchAgent();
    const { answer } = await ask(await newSession(), 'What are the coordinates of M31?');
    expect(answer).toMatch(/### Direct answer\n\n- \*\*M 31\*\*.*00:42:44\.33 \+41:16:07\.7 \(ICRS J2000\.0/);
  });

  const works = shippedWorks();
  const topics = [...new Set(works.flatMap((work) => work.topics))].map((topic) =>
    topic.replaceAll('-', ' '),
  );
  const names = [
    ...new Set([
      ...works.flatMap((work) => work.objects),
      ...shippedObjects().flatMap(({ names: all }) => all),
    ]),
  ];
  const questions = fc.oneof(
    fc.constantFrom(...topics).map((topic) => `What is known about ${topic}?`),
    fc.constantFrom(...names).map((name) => `${name} 的距离和质量是多少？`),
    fc
      .tuple(fc.constantFrom(...topics), fc.constantFrom(...names))
      .map(([topic, name]) => `${topic} of ${name}`),
    fc.constantFrom(
      '继续',
      'And its mass?',
      '那它的红移呢？',
      'export bibtex',
      '导出引用条目',
      '',
      '?!',
      '$x$ | `y`',
    ),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
  );

  it('cites nothing that no tool of the conversation has returned', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(questions, { minLength: 1, maxLength: 3 }), async (asked) => {
        const { ask, newSession, read } = createResearchAgent();
        const session = await newSession();
        for (const question of asked) {
          const { answer, messages, end } = await ask(session, question);
          expect(end).toEqual({ kind: 'done', status: 'completed' });
          expect(repliesOf(messages)).toBeLessThanOrEqual(5);
          const known = resultsOf(await read(session));
          for (const id of idsCited(answer)) expect(known).toContain(id);
        }
      }),
      { numRuns: 60 },
    );
  });
});
