/** Keys that phones do not have, and what they send. */
const keys: { label: string; name: string; sends: string }[] = [
  { label: "Esc", name: "Esc", sends: "\u001b" },
  { label: "Tab", name: "Tab", sends: "\t" },
  { label: "^C", name: "Control C", sends: "\u0003" },
  { label: "^D", name: "Control D", sends: "\u0004" },
  { label: "↑", name: "Up", sends: "\u001b[A" },
  { label: "↓", name: "Down", sends: "\u001b[B" },
  { label: "←", name: "Left", sends: "\u001b[D" },
  { label: "→", name: "Right", sends: "\u001b[C" },
  { label: "|", name: "Bar", sends: "|" },
  { label: "/", name: "Slash", sends: "/" },
  { label: "-", name: "Dash", sends: "-" },
  { label: "~", name: "Tilde", sends: "~" },
];

/** Buttons for such keys below a terminal. */
export function KeyBar({ disabled, onType }: { disabled: boolean; onType: (text: string) => void }) {
  return (
    <div class="termkeys" role="toolbar" aria-label="Keys">
      {keys.map(({ label, name, sends }) => (
        <button
          key={label}
          type="button"
          class="btn sm"
          aria-label={name}
          disabled={disabled}
          onClick={() => onType(sends)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
