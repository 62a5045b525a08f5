import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";

const keys = () => resource("GET /api/keys");
const address = "/security";

/** The keys of the account, and a new one. */
export const keysFinder: Finder = {
  order: 70,
  open: () => keys().need(),
  list: () => [
    wishCommand(
      { title: "Add key", group: "Security", icon: "plus", words: "new api key token program" },
      { address, wish: "key" },
    ),
    placeCommand({ title: "API keys", group: "Security", icon: "key" }, { address, card: "API keys" }),
    ...(keys().data.value ?? []).map((key) => ({
      ...placeCommand(
        { title: key.name, group: "API key", icon: "key", words: key.scopes },
        { address, row: key.name },
      ),
      id: `key-${key.id}`,
    })),
  ],
};
