import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";

const passwords = () => resource("GET /api/drive/webdav-passwords");
const address = "/security";

/** Passwords for programs that open the Drive, and a new one. */
export const davPasswordsFinder: Finder = {
  order: 72,
  open: () => passwords().need(),
  list: () => [
    wishCommand(
      {
        title: "Add WebDAV password",
        group: "Security",
        icon: "plus",
        words: "new dav drive finder explorer mount rclone",
      },
      { address, wish: "webdav" },
    ),
    placeCommand({ title: "WebDAV passwords", group: "Security", icon: "key" }, { address, card: "WebDAV passwords" }),
    ...(passwords().data.value?.passwords ?? []).map(({ id, name }) => ({
      ...placeCommand({ title: name, group: "WebDAV password", icon: "key" }, { address, row: name }),
      id: `webdav-${id}`,
    })),
  ],
};
