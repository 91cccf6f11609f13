/** A button that shows an icon alone; its label is its name and its tooltip. */
import type { ReactNode, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';

export function IconButton({
  icon,
  label,
  onPress,
  className = '',
  expanded,
  buttonRef,
}: {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
  readonly className?: string;
  /** For a button that opens something: whether it is open. */
  readonly expanded?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
}): ReactNode {
  return (
    <button
      ref={buttonRef}
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      aria-expanded={expanded}
      title={label}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
