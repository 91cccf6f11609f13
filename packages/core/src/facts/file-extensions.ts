/** The endings by which a file name is told from a sentence or a member access (`rows.map`). */

const USUAL_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    'ts tsx mts cts js jsx mjs cjs vue svelte py pyi ipynb jl f90 c h cc cpp cxx hpp hh cs go rs java kt scala swift',
    'rb php pl lua sh bash zsh ps1 bat sql hs ml exs erl clj lisp pony zig nim asm sage md mdx rst txt tex bib bst',
    'cls sty adoc html htm css scss sass less xml xsl svg json jsonl ndjson json5 yml yaml toml ini cfg conf lock csv',
    'tsv parquet log diff patch proto graphql pdf eps png jpg jpeg gif webp bmp tif tiff ico mp3 mp4 wav mov',
    'fits fit fts fz vot votable hdf h5 hdf5 nc npy npz pkl asdf reg dat db sqlite doc docx odt xls xlsx ppt pptx',
    'zip tar gz tgz bz2 xz 7z rar whl jar so dll exe bin pcap pem crt wasm',
  ]
    .join(' ')
    .split(' '),
);

/** `extension` without its dot; in either case. */
export function hasUsualExtension(extension: string): boolean {
  return USUAL_EXTENSIONS.has(extension) || USUAL_EXTENSIONS.has(extension.toLowerCase());
}
