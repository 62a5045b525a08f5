import { useEffect, useState } from "preact/hooks";
import { offline, probeNow } from "../client/connection.ts";
import { clock } from "../client/format.ts";
import { Button } from "../kit/button.tsx";
import { Banner } from "../kit/card.tsx";

/** Says since when the server does not answer and when the next try is; goes away by itself once it answers. */
export function OfflineBar() {
  const state = offline.value;
  const [, tick] = useState(0);
  useEffect(() => {
    if (state === null) return;
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [state === null]);
  if (state === null) return null;
  const wait = Math.max(0, Math.ceil((state.nextTry - Date.now()) / 1000));
  return (
    <div class="offline">
      <Banner
        state="warn"
        action={
          <Button size="sm" onClick={probeNow}>
            Try now
          </Button>
        }
      >
        Server unreachable since {clock(state.since)}, {wait === 0 ? "trying now…" : `retrying in ${wait}\u00a0s`}
      </Banner>
    </div>
  );
}
