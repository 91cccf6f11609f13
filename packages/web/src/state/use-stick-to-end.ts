/** Keeps a growing text in view while its reader is at the end, and lets them read on where they scrolled to. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export type StickToEnd = {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly atEnd: boolean;
  readonly toEnd: () => void;
};

/** So near to the end counts as there. */
const NEAR_PX = 80;

/** `key` changes when it is another text altogether. */
export function useStickToEnd(key: string | null): StickToEnd {
  const frame = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const shown = useRef(key);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    const element = frame.current;
    if (element === null) return;
    sticks.current = true;
    element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const look = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      sticks.current = near;
      setAtEnd(near);
    };
    // What loads or unfolds later moves the end too.
    const grown = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', look, { passive: true });
    if (element.firstElementChild !== null) grown.observe(element.firstElementChild);
    return () => {
      element.removeEventListener('scroll', look);
      grown.disconnect();
    };
  }, []);

  // After every drawing: a new text begins at its end, one that grows is followed.
  useLayoutEffect(() => {
    if (shown.current !== key) sticks.current = true;
    shown.current = key;
    if (sticks.current) toEnd();
  });

  return { frame, atEnd, toEnd };
}
