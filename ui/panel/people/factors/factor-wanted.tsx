import { useEffect } from "preact/hooks";
import { user } from "../../client/session.ts";
import { Gate, Hello } from "../../parts/gate.tsx";
import { WaysElsewhere } from "../workspaces/ways-elsewhere.tsx";
import { FactorCards } from "./factor-cards.tsx";

/** For a member without second factor in a workspace that wants one: the way to one, and the ways elsewhere. */
export function FactorWanted() {
  const place = user.value?.tenant_name ?? "This workspace";
  useEffect(() => {
    document.title = "Add a second factor, Orrery";
  }, []);
  return (
    <Gate>
      <main class="signin factor-wanted" id="main">
        <Hello>Add a second factor</Hello>
        <p class="c2 mid">
          <b>{place}</b> wants one of all its members. With a key or an app you are in at once.
        </p>
        <div class="grid12">
          <FactorCards />
        </div>
        <WaysElsewhere />
      </main>
    </Gate>
  );
}
