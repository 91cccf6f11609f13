/** One session in the list: opens, and can be renamed in place or deleted. */
import { type ReactNode, useRef, useState } from 'react';
import type { SessionRow } from '../api/sessions-api.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { useTexts } from '../services.ts';

export function SessionEntry({
  row,
  current,
  running,
  onOpen,
  onRename,
  onDelete,
}: {
  readonly row: SessionRow;
  readonly current: boolean;
  readonly running: boolean;
  readonly onOpen: () => void;
  readonly onRename: (title: string) => Promise<void>;
  readonly onDelete: () => void;
}): ReactNode {
  const texts = useTexts();
  const [editing, setEditing] = useState(false);
  const title = row.title === '' ? texts.untitled : row.title;
  if (editing) {
    return (
      <li className="session" data-editing="true">
        <TitleEditor
          title={row.title}
          onDone={(next) => {
            setEditing(false);
            if (next !== null && next !== row.title) onRename(next).catch(() => undefined);
          }}
        />
      </li>
    );
  }
  return (
    <li className="session" data-current={current}>
      <button
        type="button"
        className="session-open"
        aria-current={current ? 'page' : undefined}
        title={title}
        onClick={onOpen}
      >
        {running ? <span className="pulse" /> : null}
        <span className="session-title">{title}</span>
      </button>
      <span className="session-actions">
        <IconButton icon="pencil" label={`${texts.rename}: ${title}`} onPress={() => setEditing(true)} />
        <IconButton icon="trash" label={`${texts.remove}: ${title}`} onPress={onDelete} />
      </span>
    </li>
  );
}

/** Enter or leaving the field keeps the new title, Escape the old one. */
function TitleEditor({
  title,
  onDone,
}: {
  readonly title: string;
  readonly onDone: (title: string | null) => void;
}): ReactNode {
  const texts = useTexts();
  const [text, setText] = useState(title);
  // Leaving the field follows Enter and Escape as well: only the first of them counts.
  const done = useRef(false);
  const finish = (next: string | null) => {
    if (done.current) return;
    done.current = true;
    onDone(next);
  };
  const kept = () => (text.trim() === '' ? null : text.trim());
  return (
    <input
      ref={selectOnce}
      className="session-rename"
      aria-label={texts.renameLabel}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(kept())}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || event.keyCode === 229) return;
        if (event.key === 'Enter') finish(kept());
        if (event.key === 'Escape') {
          event.stopPropagation();
          finish(null);
        }
      }}
    />
  );
}

function selectOnce(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
