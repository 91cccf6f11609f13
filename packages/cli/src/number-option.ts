/** A whole number of an option, or in one line what is wrong with it. */
export function numberOption(name: string, text: string): number | string {
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 ? value : `${name} must be a whole number from 0, not ${text}`;
}
