import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { type ServerEvent, sse } from "../../../kernel/http/sse.ts";
import { createPlaces } from "../../../lib/places.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { fail, liveChangesRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { tellChanges } from "./tell.ts";

/** A page that is looked at has one; each is told of every change of its workspace. */
const PER_ACCOUNT = 100;
const PER_WORKSPACE = 1_000;

/** What answers the stream of changes. */
export function bindLiveChangesRoutes(needs: Needs): BoundRoutes {
  const places = createPlaces();

  /** Takes a place; gives how to give it back. Throws `change_streams_full`. */
  function enter(actor: Actor): () => void {
    const taken = places.take([
      { key: `account ${countedAs(actor)}`, most: PER_ACCOUNT, whose: "by your account" },
      { key: `workspace ${actor.tenant_id}`, most: PER_WORKSPACE, whose: "in this workspace" },
    ]);
    if (taken.full) throw fail("change_streams_full", { count: taken.full.most, whose: taken.full.whose });
    return taken.give;
  }

  async function* tell(actor: Actor, left: AbortSignal): AsyncGenerator<ServerEvent> {
    const leave = enter(actor);
    // What is told goes by the role that the stream began with: whoever may have another one comes again.
    const changed = new AbortController();
    const stopListening = needs.accessEnds.ofMember(actor).onChange(() => changed.abort());
    try {
      yield* tellChanges(needs.lists.changes.all(), actor, needs.clock, AbortSignal.any([left, changed.signal]));
    } finally {
      stopListening();
      leave();
    }
  }

  return bindRoutes(liveChangesRoutes, {
    "GET /api/changes": ({ actor, request, server }) => {
      // Refused before anything is answered; the place itself is taken by the telling.
      enter(actor)();
      return sse({ ...needs, accessChanges: needs.accessEnds.of(actor) }, { request, server }, (signal) =>
        tell(actor, signal),
      );
    },
  });
}
