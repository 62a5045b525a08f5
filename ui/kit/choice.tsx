import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { IconName } from "../icons/names.ts";
import { Icon } from "./icon.tsx";

/** One of a few, side by side: native radio buttons, so arrow keys move between them. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onValue,
  size = "",
}: {
  label: string;
  /** Null where what is shown is none of them. */
  value: T | null;
  options: { value: T; label: string; icon?: IconName }[];
  onValue: (value: T) => void;
  size?: "" | "sm" | "wide";
}) {
  const name = useId();
  return (
    <div class={`seg ${size}`} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          {option.icon !== undefined && <Icon name={option.icon} />}
          {option.label}
        </label>
      ))}
    </div>
  );
}

/** One of many. Native, so phones show their own picker. */
export function Select<T extends string>({
  label,
  value,
  options,
  onValue,
  size = "",
  disabled = false,
}: {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onValue: (value: T) => void;
  size?: "" | "sm";
  disabled?: boolean;
}) {
  const choose = (chosen: string): void => {
    const option = options.find((item) => item.value === chosen);
    if (option !== undefined) onValue(option.value);
  };
  return (
    <span class={`select ${size}`}>
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

interface ToggleProps {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  children: ComponentChildren;
  sub?: ComponentChildren;
  disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ checked, onChecked, children, sub, disabled = false }: ToggleProps) {
  const id = useId();
  return (
    <label class="opt" for={id}>
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span>
        {children}
        {sub !== undefined && <span class="sub">{sub}</span>}
      </span>
    </label>
  );
}

/** Part of a form that is sent later. */
export function Checkbox({ checked, onChecked, children, sub, disabled = false }: ToggleProps) {
  const id = useId();
  return (
    <label class="opt" for={id}>
      <input
        id={id}
        class="check"
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChecked(event.currentTarget.checked)}
      />
      <span>
        {children}
        {sub !== undefined && <span class="sub">{sub}</span>}
      </span>
    </label>
  );
}
