/** Adds trees of numbers of one shape, key by key; a key may be any text, `__proto__` too. */

type Numbers = { readonly [key: string]: number | Numbers };

/** A new tree; what only one side has counts as it stands. */
export function addNumbers<T extends object>(a: T, b: Partial<T>): T {
  return add(a as Numbers, b as Numbers) as T;
}

function add(a: Numbers, b: Numbers): Numbers {
  const sums = Object.entries(b).map(([key, more]): [string, number | Numbers] => {
    const before = Object.hasOwn(a, key) ? a[key] : undefined;
    if (typeof more === 'number') return [key, (typeof before === 'number' ? before : 0) + more];
    return [key, add(typeof before === 'object' ? before : {}, more)];
  });
  return { ...a, ...Object.fromEntries(sums) };
}
