import type { ComponentChildren } from "preact";
import { Glyph } from "../../../kit/status.tsx";

/** What is told of something in a whole sentence, which is never cut. */
export function Told({ state, children }: { state: "ok" | "warn" | "crit" | "off"; children: ComponentChildren }) {
  return (
    <span class="backuptold">
      <Glyph state={state} />
      <span class="backupnote">{children}</span>
    </span>
  );
}
