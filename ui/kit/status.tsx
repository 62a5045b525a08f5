import type { ComponentChildren } from "preact";

/** Every state the dashboard can show. Never a colour alone: each has its own shape. */
export type State = "ok" | "warn" | "crit" | "info" | "off" | "busy" | "unknown";

/** The shape of a state; the word beside it says the same. */
export function Glyph({ state }: { state: State }) {
  return (
    <svg class={`st ${state}`} aria-hidden="true">
      <use href={`${SPRITE_URL}#st-${state}`} />
    </svg>
  );
}

/** Shape and word. */
export function Status({ state, children }: { state: State; children: ComponentChildren }) {
  return (
    <span class="row status">
      <Glyph state={state} />
      <span class="cut">{children}</span>
    </span>
  );
}

/** A small label, with a state or plain. */
export function Chip({ state, children }: { state?: State | "acc"; children: ComponentChildren }) {
  const tone = state === undefined || state === "off" || state === "unknown" ? "" : state === "busy" ? "acc" : state;
  return (
    <span class={`chip ${tone}`}>
      {state !== undefined && state !== "acc" && <Glyph state={state} />}
      {children}
    </span>
  );
}

/** A number beside a title. */
export function Badge({ children, tone = "" }: { children: ComponentChildren; tone?: "" | "crit" | "acc" }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A key of the keyboard. */
export function Kbd({ children }: { children: ComponentChildren }) {
  return <kbd class="kbd">{children}</kbd>;
}

/** A person: the picture, or the first letters of the name, in a circle. */
export function Avatar({
  name,
  url = null,
  size = "",
}: {
  name: string;
  url?: string | null;
  size?: "" | "sm" | "lg";
}) {
  if (url !== null) return <img class={`avatar ${size}`} src={url} alt="" />;
  return <span class={`avatar ${size}`} aria-hidden="true" data-initials={initials(name)} />;
}

/** Two letters for a name: "mara lind" is ML, "noah" is NO. */
export function initials(name: string): string {
  const parts = name.split(/[\s._-]+/).filter(Boolean);
  const letters = parts.length > 1 ? `${parts[0]?.[0] ?? ""}${parts[1]?.[0] ?? ""}` : name.slice(0, 2);
  return letters.toUpperCase();
}
