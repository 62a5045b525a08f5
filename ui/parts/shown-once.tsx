import type { ComponentChildren } from "preact";
import { SecretOnce } from "../kit/copy.tsx";
import { Dialog } from "../kit/dialog.tsx";

interface ShownOnceProps {
  title: string;
  sub?: string;
  width?: "sm";
  /** What the secret is. */
  label: string;
  secret: string;
  onClose: () => void;
  /** What there is to say or do before. */
  children?: ComponentChildren;
}

/** A secret that was just made: after this dialog nobody sees it again. */
export function ShownOnce({
  title,
  sub = "Shown only now.",
  label,
  secret,
  onClose,
  children,
  ...rest
}: ShownOnceProps) {
  return (
    <Dialog title={title} sub={sub} onClose={onClose} {...rest}>
      <div class="stack">
        {children}
        <SecretOnce label={label} value={secret} onSaved={onClose} />
      </div>
    </Dialog>
  );
}
