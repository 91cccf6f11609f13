/** Text as it may reach a model, an event or a log: whole characters, no control codes (field reports R; T32). */

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);

/** OSC, DCS, APC, PM and SOS strings up to their end (links, titles, clipboard), then CSI and short sequences. */
const TERMINAL_SEQUENCES = new RegExp(
  [
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
/** C0, DEL and C1; tab and line feed stay. */
const CONTROL_CODES = /[^\P{Cc}\n\t]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;
const RETURNS = /\r\n?/g;

/** Line ends become `\n`; halves of surrogate pairs become U+FFFD; control codes and terminal sequences go. */
export function cleanText(text: string): string {
  return text
    .replace(TERMINAL_SEQUENCES, '')
    .replace(RETURNS, '\n')
    .replace(CONTROL_CODES, '')
    .replace(LONE_SURROGATES, '\uFFFD');
}
