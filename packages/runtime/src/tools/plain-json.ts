/** JSON that came from outside, made harmless before anything reads it (reliability.md T14, T15, T22). */

export const MAX_JSON_DEPTH = 64;

/**
 * Removes own `__proto__` keys in place, so that no later copy of the value can gain a prototype.
 * False: the value is nested deeper than `MAX_JSON_DEPTH`. Never recurses.
 */
export function disarm(value: unknown): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return false;
    const below: object[] = [];
    for (const container of level) {
      if (Object.hasOwn(container, '__proto__')) Reflect.deleteProperty(container, '__proto__');
      for (const child of Object.values(container)) if (isContainer(child)) below.push(child);
    }
    level = below;
  }
  return true;
}

/** Freezes plain objects and arrays all the way down: what was checked is what runs. */
export function deepFreeze<Value>(value: Value): Value {
  if (!isContainer(value) || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
