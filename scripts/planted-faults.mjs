/**
 * Faults that the invariants of the context engine must catch: each is one small wrong edit of a source file, of the
 * kind that a tired person makes. `caughtBy` begins the name of an invariant that has to fail.
 */
const COMPACTION = 'packages/core/src/compaction';

export const PLANTED_FAULTS = [
  {
    name: 'a cut inside a group of call and results',
    file: `${COMPACTION}/groups.ts`,
    find: `  const candidate = Math.max(0, messages.length - desiredKeep);
  const around = groupsOf(messages).find((group) => group.start < candidate && candidate < group.end);
  return around?.start ?? candidate;`,
    put: '  return Math.max(0, messages.length - desiredKeep);',
    caughtBy: 'pairing',
  },
  {
    name: 'a head that ends inside a group',
    file: `${COMPACTION}/groups.ts`,
    find: `  const candidate = Math.min(desiredKeep, messages.length);
  const around = groupsOf(messages).find((group) => group.start < candidate && candidate < group.end);
  return around?.start ?? candidate;`,
    put: '  return Math.min(desiredKeep, messages.length);',
    caughtBy: 'pairing',
  },
  {
    name: 'a group that leaves its last result out',
    file: `${COMPACTION}/groups.ts`,
    find: 'Math.min(start + 1 + calls, messages.length)',
    put: 'Math.min(start + Math.max(1, calls), messages.length)',
    caughtBy: 'pairing',
  },
  {
    name: 'the newest step is not pinned',
    file: `${COMPACTION}/pins.ts`,
    find: '  for (const message of messages.slice(tailStart)) pinned.add(message.id);\n',
    put: '',
    caughtBy: 'pinned content present',
  },
  {
    name: 'the first words of a person are not pinned',
    file: `${COMPACTION}/pins.ts`,
    find: '    messages.find(isFromPerson),\n',
    put: '',
    caughtBy: 'pinned content present',
  },
  {
    name: 'the newest words of a person are not pinned',
    file: `${COMPACTION}/pins.ts`,
    find: '    messages.findLast(isFromPerson),\n',
    put: '',
    caughtBy: 'pinned content present',
  },
  {
    name: 'a pinned result is masked',
    file: `${COMPACTION}/micro.ts`,
    find: '    if (pins.messages.has(message.id)) return [];\n',
    put: '',
    caughtBy: 'pinned content present',
  },
  {
    name: 'a pinned message is cut to head and tail',
    file: `${COMPACTION}/project.ts`,
    find: 'cuttable.filter((message) => !pins.messages.has(message.id))',
    put: 'cuttable',
    caughtBy: 'pinned content present',
  },
  {
    name: 'growth is applied',
    file: `${COMPACTION}/compress.ts`,
    find: 'const grows = tokensAfter >= tokensBefore;',
    put: 'const grows = false;',
    caughtBy: 'shrinks or no-op',
  },
  {
    name: 'growth counts as success',
    file: `${COMPACTION}/verdict.ts`,
    find: 'success: enough || (fitsTarget && freedTokens > 0)',
    put: 'success: true',
    caughtBy: 'success is a fall in tokens',
  },
  {
    name: 'fewer messages count as success',
    file: `${COMPACTION}/compress.ts`,
    find: 'success: judge(tokensBefore, tokensAfter, isWithinTarget(this.messages, limits)).success,',
    put: 'success: this.edits.length > 0,',
    caughtBy: 'success is a fall in tokens',
  },
  {
    name: 'a result is dropped from the view',
    file: 'packages/core/src/view/view.ts',
    find: 'if (replacement === undefined) {',
    put: "if (replacement === undefined) {\n      if (rewrites.has(message.id) && message.role === 'tool') continue;",
    caughtBy: 'pairing',
  },
  {
    name: 'a replacement covers its neighbour too',
    file: 'packages/core/src/view/view.ts',
    find: 'return ordinalOf(outer.from) <= ordinalOf(inner.from) && ordinalOf(inner.to) <= ordinalOf(outer.to);',
    put: 'return ordinalOf(outer.from) - 1 <= ordinalOf(inner.from) && ordinalOf(inner.to) <= ordinalOf(outer.to);',
    caughtBy: 'pinned content present',
  },
  {
    name: 'a replacement is put at the end of the view',
    file: 'packages/core/src/view/view.ts',
    find: '  return History.of(kept);',
    put: "  const summaries = kept.filter((message) => message.role === 'user' && message.kind === 'summary');\n  return History.of([...kept.filter((message) => !summaries.includes(message)), ...summaries]);",
    caughtBy: 'order',
  },
  {
    name: 'a summary of this very compaction is cut: the log no longer gives the same view',
    file: `${COMPACTION}/project.ts`,
    find: 'const cuttable = messages.filter((message) => !isReplacement(message) && !hasSignedReasoning(message));',
    put: 'const cuttable = messages.filter((message) => !hasSignedReasoning(message));',
    caughtBy: 'determinism',
  },
  {
    name: 'the view after a compaction is folded from the edits in reverse',
    file: 'packages/core/src/turn/evolve.ts',
    find: 'applyEdits(agent.view, event.edits)',
    put: 'applyEdits(agent.view, event.edits.toReversed())',
    caughtBy: 'determinism',
  },
  {
    name: 'a message is spliced into the prefix',
    file: 'packages/core/src/turn/evolve.ts',
    find: 'view: agent.view.append(message),',
    put: "view: message.role === 'user' && message.kind === 'nudge' ? spliced(agent.view, message) : agent.view.append(message),",
    also: {
      find: 'function countedTokens(view: View): number {',
      put: 'function spliced(view: View, message: Message): View {\n  const all = view.toArray();\n  return Object.getPrototypeOf(view).constructor.of([...all.slice(0, 2), message, ...all.slice(2)]);\n}\n\nfunction countedTokens(view: View): number {',
    },
    caughtBy: 'prefix stability',
  },
  {
    name: 'a second compaction before one call',
    file: `${COMPACTION}/trigger.ts`,
    find: '  if (state.compactedInThisStep) return null;\n',
    put: '',
    also: {
      find: 'last === null || contextTokens >= last + triggerTokens * MIN_GROWTH_SHARE',
      put: 'contextTokens > 0',
    },
    caughtBy: 'termination',
  },
  {
    name: 'a second snip: placeholders count as messages, and nothing need be removed',
    file: `${COMPACTION}/snip.ts`,
    find: '    .filter((run) => run.some((message) => !isReplacement(message)))\n',
    put: '',
    also: {
      find: 'messages.filter((message) => !isReplacement(message)).length > limits.maxMessages',
      put: 'messages.length > limits.maxMessages',
    },
    caughtBy: 'one snip',
  },
  {
    name: 'the words of a person go with the summary',
    file: `${COMPACTION}/block.ts`,
    find: '    section(BLOCK_SECTIONS.words[language], wordsText(digest, input)),\n',
    put: '',
    caughtBy: 'a person’s own words',
  },
  {
    name: 'an overfull window is not told',
    file: `${COMPACTION}/compress.ts`,
    find: 'run.size() > limits.windowTokens ||',
    put: '',
    caughtBy: 'fits or typed refusal',
  },
  {
    name: 'nothing is cut where the layers were not enough',
    file: `${COMPACTION}/compress.ts`,
    find: '  if (run.size() > limits.hardTokens) run.project();\n',
    put: '',
    caughtBy: 'fits or typed refusal',
  },
  {
    name: 'the tokens of what was appended are forgotten',
    file: `${COMPACTION}/compress.ts`,
    find: '    this.messages = [...this.messages, message];\n    this.#appended.push(message);',
    put: '    this.#appended.push(message);',
    caughtBy: 'determinism',
  },
  {
    name: 'a summary written ahead that is taken for a stretch it does not begin',
    file: `${COMPACTION}/prepared.ts`,
    find: 'if (first === undefined || coverage(first).from !== range.from) return null;',
    put: 'if (first === undefined) return null;',
    caughtBy: 'written ahead',
  },
];
