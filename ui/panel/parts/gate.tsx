import type { ComponentChildren } from "preact";
import { GateFrame } from "../../shell/gate-frame.tsx";

export { Hello } from "../../shell/gate-frame.tsx";

/** The page of whoever is not in yet. */
export function Gate({ children }: { children: ComponentChildren }) {
  return (
    <GateFrame count={12} foot={<span>Orrery panel</span>}>
      {children}
    </GateFrame>
  );
}
