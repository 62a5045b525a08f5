import type { Watched } from "../../watched.ts";
import { findForwarder } from "./forwarders/forwarder-store.ts";
import type { Needs } from "./needs.ts";

/** What alerts can be about of log forwarders. */
export const watchForwarders = ({ db }: Pick<Needs, "db">): Watched => ({
  kinds: [
    {
      kind: "log_forwarder",
      any: "any log forwarder",
      removed: "the log forwarder was deleted",
      look: () => (id) => findForwarder(db, id) !== null,
    },
  ],
  states: [
    {
      kind: "log_forwarder",
      name: "log_forwarding",
      label: "Forwarding of log lines",
      title: "Log lines do not reach a forwarder",
    },
  ],
});
