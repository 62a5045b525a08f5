import type { Recovery } from "../../base.ts";
import type { Watched } from "../../watched.ts";
import { findForwarder } from "./forwarders/forwarder-store.ts";
import type { Needs } from "./needs.ts";

const KIND = "log_forwarder";
const STATE = "log_forwarding";

/** One that was switched off has nothing to fail at; where it works again, its event says so. */
export const watchRecovery = ({ db }: Pick<Needs, "db">): Recovery => ({
  metric: STATE,
  isGood: (entity) => findForwarder(db, entity.slice(KIND.length + 1))?.enabled !== 1,
});

/** What alerts can be about of log forwarders. */
export const watchForwarders = ({ db }: Pick<Needs, "db">): Watched => ({
  kinds: [
    {
      kind: KIND,
      any: "any log forwarder",
      removed: "the log forwarder was deleted",
      look: () => (id) => findForwarder(db, id) !== null,
    },
  ],
  states: [
    {
      kind: KIND,
      name: STATE,
      label: "Forwarding of log lines",
      title: "Log lines do not reach a forwarder",
    },
  ],
});
