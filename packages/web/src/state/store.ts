/** The smallest store: one value, its readers told when it changes. */

export type Store<T> = {
  readonly snapshot: () => T;
  /** The result ends the subscription. */
  readonly subscribe: (onChange: () => void) => () => void;
};

export type WritableStore<T> = Store<T> & { readonly set: (value: T) => void };

export function createStore<T>(initial: T): WritableStore<T> {
  let value = initial;
  const readers = new Set<() => void>();
  return {
    snapshot: () => value,
    subscribe: (onChange) => {
      readers.add(onChange);
      return () => readers.delete(onChange);
    },
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const reader of readers) reader();
    },
  };
}
