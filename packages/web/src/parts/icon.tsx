/** Our own icons, drawn on a grid of 24 with one line width. They say nothing to screen readers: labels do. */
import type { ReactNode } from 'react';

const PATHS = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  pencil: 'M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19z',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h10',
  panel: 'M4 5h16v14H4zM14.5 5v14M17 9h.5M17 12h.5',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7.5 7.5h9v9h-9z',
  down: 'M12 5v14M6 13l6 6 6-6',
  chevron: 'M9 6l6 6-6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.3',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5M12 7.8v.3',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  moon: 'M20 14.2A8.2 8.2 0 0 1 9.8 4 8.2 8.2 0 1 0 20 14.2z',
  contrast: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 3.5v17M12 7.5h6.5M12 12h8.3M12 16.5h6.5',
  language:
    'M4 6h9M8.5 4v2M11 6c-.8 3.8-3 6.6-6.5 8.5M6 9.5c1.2 2.2 3 3.8 5.5 5M12.5 20l4-9.5 4 9.5M14 16.8h5',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  thought:
    'M12 3.5a6.5 6.5 0 0 0-3.8 11.8c.6.5 1 1.2 1 2v.7h5.6v-.7c0-.8.4-1.5 1-2A6.5 6.5 0 0 0 12 3.5zM9.8 20.5h4.4',
  paper: 'M7 3.5h7.5L18 7v13.5H7zM14 3.5V7.5h4M10 12h5M10 15.5h5',
  telescope: 'M4 13.5l12.5-6 1.8 3.8-12.6 5.8zM16.3 7.2l2.2-1 2 4.2-2.2 1M11 14.5l-3 6M12 14l3.5 6.5',
  list: 'M4 6.5l1.3 1.3L7.8 5.3M4 12.5l1.3 1.3 2.5-2.5M4 18.5l1.3 1.3 2.5-2.5M11 7h9M11 13h9M11 19h9',
  file: 'M4 6h6l2 2.5h8V19H4z',
  tool: 'M14.5 6.2a4.3 4.3 0 0 1 5.2 5.6l-2.6-2.6-2.3.6-.6 2.3 2.6 2.6a4.3 4.3 0 0 1-5.6-5.2L4.8 16a2.2 2.2 0 0 0 3.1 3.1z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark: a star on its orbit. */
export function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <ellipse className="mark-orbit" cx="16" cy="16" rx="14" ry="5.6" transform="rotate(-32 16 16)" />
      <path className="mark-star" d="M16 6l2.3 7.7L26 16l-7.7 2.3L16 26l-2.3-7.7L6 16l7.7-2.3z" />
    </svg>
  );
}
