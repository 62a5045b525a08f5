import type { IconName } from "../icons/names.ts";
import { Segmented } from "./choice.tsx";

/** One of a few as a field of a form: its name above, and what it means below. */
export function SegmentedField<T extends string>({
  label,
  hint,
  ...rest
}: {
  label: string;
  value: T;
  options: { value: T; label: string; icon?: IconName }[];
  onValue: (value: T) => void;
  hint?: string | undefined;
}) {
  return (
    <div class="field">
      <span class="label">{label}</span>
      <Segmented label={label} size="wide" {...rest} />
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}
