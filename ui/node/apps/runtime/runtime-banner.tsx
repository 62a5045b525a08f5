import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { useResource } from "../../client/resource.ts";

/** Says what to do when Docker is missing, too old or silent; nothing when it is fine. */
export function RuntimeBanner() {
  const runtime = useResource("GET /api/system/runtime");
  const state = runtime.data.value;
  if (state === null || state.state === "ok") return null;
  return (
    <Banner
      state="warn"
      action={
        <Button size="sm" busy={runtime.loading.value} onClick={() => void runtime.refresh()}>
          Check again
        </Button>
      }
    >
      <b class="w5">{state.message}</b> {state.next_step}
    </Banner>
  );
}
