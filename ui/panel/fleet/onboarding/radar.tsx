import type { OrbitSize } from "../../../kit/orbit-layout.ts";
import { Orrery } from "../../../kit/orrery.tsx";
import type { Arrival } from "./arrival.ts";

const size: OrbitSize = { width: 520, height: 440, first: 62, gap: 44 };

/** Rings that are searched until a node answers; then it is on one of them, by its name. */
export function Radar({ isListening, arrival }: { isListening: boolean; arrival: Arrival | null }) {
  const state = arrival === null ? (isListening ? "listening" : "still") : "found";
  return (
    <div class={`radar ${state}`}>
      <span class="sweep" aria-hidden="true" />
      <Orrery
        size={size}
        label={arrival === null ? "No node yet" : `${arrival.hostname} is in orbit`}
        bodies={
          arrival === null
            ? []
            : [
                {
                  id: arrival.id,
                  name: arrival.hostname,
                  ring: "",
                  memory: 3,
                  processor: 18,
                  state: "ok",
                  href: `/nodes/${encodeURIComponent(arrival.id)}`,
                },
              ]
        }
      />
    </div>
  );
}
