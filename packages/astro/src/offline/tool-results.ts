/** What the astronomy tools answered, read back from their JSON; what cannot be read is said to be unreadable. */
import { z } from 'zod';

const paperFields = {
  id: z.string(),
  arxiv_id: z.string().optional(),
  bibcode: z.string().optional(),
  doi: z.string().optional(),
  title: z.string(),
  authors: z.array(z.string()).min(1),
  n_authors: z.number().optional(),
  year: z.number(),
};

const hitSchema = z.object({ ...paperFields, snippet: z.string(), relevance: z.number().optional() });
const recordSchema = z.object({
  ...paperFields,
  journal: z.string().optional(),
  volume: z.string().optional(),
  page: z.string().optional(),
  refereed: z.union([z.boolean(), z.literal('unknown')]).default('unknown'),
  objects: z.array(z.string()).default([]),
  quantities: z
    .array(
      z.object({
        name: z.string(),
        symbol: z.string().optional(),
        value: z.string(),
        method: z.string().optional(),
        quote: z.string().optional(),
      }),
    )
    .default([]),
  summary: z.string(),
});
const searchSchema = z.object({
  total: z.number(),
  shelf: z.object({ works: z.number(), newest: z.string().nullable() }),
  papers: z.array(hitSchema),
});
const metadataSchema = z.object({ papers: z.array(recordSchema) });
const targetSchema = z.object({
  main_id: z.string(),
  name_en: z.string().optional(),
  name_zh: z.string().optional(),
  type: z.string(),
  ra_deg: z.number().optional(),
  dec_deg: z.number().optional(),
  sexagesimal: z.string().optional(),
  frame: z.string().optional(),
  epoch: z.string().optional(),
  position_accuracy_arcsec: z.number().optional(),
  z: z.number().optional(),
  magnitude_v: z.number().optional(),
  star: z.record(z.string(), z.number()).optional(),
  planet: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  aliases: z.array(z.string()).default([]),
  sources: z.array(z.string()).default([]),
});
const bibtexSchema = z.object({
  bibtex: z.string(),
  entries: z.number(),
  missing: z.array(z.string()).default([]),
});
const failureSchema = z.object({
  error: z.object({
    kind: z.string(),
    message: z.string(),
    candidates: z.array(z.object({ main_id: z.string() })).default([]),
    nearest: z.array(z.string()).default([]),
  }),
});
const successSchema = z.object({ ok: z.literal(true), data: z.unknown() });

export type PaperHit = Readonly<z.infer<typeof hitSchema>>;
export type PaperRecord = Readonly<z.infer<typeof recordSchema>>;
export type PaperIdentity = Pick<
  PaperHit,
  'id' | 'arxiv_id' | 'bibcode' | 'doi' | 'title' | 'authors' | 'n_authors' | 'year'
>;
export type PaperQuantity = PaperRecord['quantities'][number];
export type Target = Readonly<z.infer<typeof targetSchema>>;
export type SearchResult = Readonly<z.infer<typeof searchSchema>>;
export type BibtexResult = Readonly<z.infer<typeof bibtexSchema>>;
export type ToolFailure = z.infer<typeof failureSchema>['error'];

export type ToolResult =
  | { readonly kind: 'search'; readonly data: SearchResult }
  | { readonly kind: 'records'; readonly papers: readonly PaperRecord[] }
  | { readonly kind: 'target'; readonly target: Target }
  | { readonly kind: 'bibtex'; readonly data: BibtexResult }
  | { readonly kind: 'failed'; readonly failure: ToolFailure }
  /** Cut, masked, refused or of a form that is not known here. */
  | { readonly kind: 'unreadable'; readonly text: string }
  /** The call has no result in the conversation. */
  | { readonly kind: 'none' };

/** `name`: of the tool; `text`: its output as the conversation holds it. Never throws. */
export function readToolResult(name: string, text: string): ToolResult {
  const unreadable: ToolResult = { kind: 'unreadable', text };
  const json = parsed(text);
  const failure = failureSchema.safeParse(json);
  if (failure.success) return { kind: 'failed', failure: failure.data.error };
  const success = successSchema.safeParse(json);
  if (!success.success) return unreadable;
  const { data } = success.data;
  switch (name) {
    case 'search_papers': {
      const search = searchSchema.safeParse(data);
      return search.success ? { kind: 'search', data: search.data } : unreadable;
    }
    case 'get_paper_metadata': {
      const records = metadataSchema.safeParse(data);
      return records.success ? { kind: 'records', papers: records.data.papers } : unreadable;
    }
    case 'resolve_target': {
      const target = targetSchema.safeParse(data);
      return target.success ? { kind: 'target', target: target.data } : unreadable;
    }
    case 'export_bibtex': {
      const bibtex = bibtexSchema.safeParse(data);
      return bibtex.success ? { kind: 'bibtex', data: bibtex.data } : unreadable;
    }
    default:
      return unreadable;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
