/** Asks before a session is deleted. The safe button has the focus. */
import { type ReactNode, useState } from 'react';
import { useTexts } from '../services.ts';

export function DeleteDialog({
  title,
  onKeep,
  onDelete,
}: {
  readonly title: string;
  readonly onKeep: () => void;
  readonly onDelete: () => Promise<void>;
}): ReactNode {
  const texts = useTexts();
  const [fault, setFault] = useState('');
  return (
    <dialog ref={openModally} className="dialog" aria-labelledby="delete-title" onClose={onKeep}>
      <h2 id="delete-title">{texts.removeQuestion}</h2>
      <p className="dialog-subject">{title}</p>
      <p>{texts.removeDetail}</p>
      {fault === '' ? null : <p role="alert">{fault}</p>}
      <div className="dialog-buttons">
        <button
          type="button"
          className="button"
          // Closing gives the focus back to where it was.
          onClick={(event) => event.currentTarget.closest('dialog')?.close()}
        >
          {texts.keep}
        </button>
        <button
          type="button"
          className="button button-danger"
          onClick={() => onDelete().catch((error: Error) => setFault(error.message))}
        >
          {texts.remove}
        </button>
      </div>
    </dialog>
  );
}

function openModally(dialog: HTMLDialogElement | null): void {
  if (dialog !== null && !dialog.open) dialog.showModal();
}
