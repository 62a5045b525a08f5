import { useId } from "preact/hooks";
import type { IconName } from "../../../icons/names.ts";
import { Icon } from "../../../kit/icon.tsx";
import type { Mode } from "../../client/types.ts";

/** What a workspace can be for. */
export const modes: { value: Mode; label: string; sub: string; icon: IconName }[] = [
  { value: "business", label: "Business", sub: "Servers of one company", icon: "server" },
  { value: "msp", label: "Service provider", sub: "Servers of your clients", icon: "users" },
  { value: "family", label: "Family", sub: "Servers at home", icon: "house" },
  { value: "school", label: "School", sub: "Servers of classes and labs", icon: "book" },
];

/** What the workspace is for: one of four, as native radio buttons. */
export function ModeChoice({
  value,
  disabled = false,
  onValue,
}: {
  value: Mode;
  disabled?: boolean;
  onValue: (mode: Mode) => void;
}) {
  const name = useId();
  return (
    <fieldset class="modes" disabled={disabled}>
      <legend class="label">What it is for</legend>
      {modes.map((mode) => (
        <label key={mode.value}>
          <input
            type="radio"
            name={name}
            value={mode.value}
            checked={mode.value === value}
            onChange={() => onValue(mode.value)}
          />
          <Icon name={mode.icon} />
          <span class="col">
            <span class="w5">{mode.label}</span>
            <span class="t12 c3">{mode.sub}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
