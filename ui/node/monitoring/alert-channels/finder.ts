import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const channels = () => resource("GET /api/alerting/channels");

/** Where alerts go, and a new place. */
export const alertChannelsFinder: Finder = {
  order: 50,
  open: () => channels().need(),
  list: () => [
    ...(isAdmin()
      ? [
          wishCommand(
            { title: "Add channel", group: "Alerts", icon: "plus", words: "alert mail telegram discord slack ntfy" },
            { address: "/alerts?tab=channels", wish: "channel" },
          ),
        ]
      : []),
    placeCommand({ title: "Alert channels", group: "Alerts", icon: "bell" }, { address: "/alerts?tab=channels" }),
    placeCommand(
      { title: "Alert templates", group: "Alerts", icon: "edit", words: "message text wording" },
      { address: "/alerts?tab=templates" },
    ),
    ...(channels().data.value ?? []).map((channel) => ({
      ...placeCommand(
        { title: channel.name, group: "Alert channel", icon: "bell", words: channel.type },
        { address: "/alerts?tab=channels", row: channel.name },
      ),
      id: `channel-${channel.id}`,
    })),
  ],
};
