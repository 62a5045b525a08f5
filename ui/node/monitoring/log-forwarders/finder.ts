import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const PLACE = "/logs/forwarders";
const forwarders = () => resource("GET /api/log-forwarders");

/** Where log lines go, and a new place. */
export const logForwardersFinder: Finder = {
  order: 62,
  open: () => (isAdmin() ? forwarders().need() : undefined),
  list: () =>
    isAdmin()
      ? [
          wishCommand(
            { title: "Add log forwarder", group: "Logs", icon: "plus", words: "syslog loki grafana rsyslog http send" },
            { address: PLACE, wish: "log-forwarder" },
          ),
          placeCommand({ title: "Log forwarders", group: "Logs", icon: "terminal" }, { address: PLACE }),
          ...(forwarders().data.value ?? []).map((forwarder) => ({
            ...placeCommand(
              { title: forwarder.name, group: "Log forwarder", icon: "terminal", words: forwarder.kind },
              { address: PLACE, row: forwarder.name },
            ),
            id: `log-forwarder-${forwarder.id}`,
          })),
        ]
      : [],
};
