import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { isAdmin } from "../../client/session.ts";

/** The server's own shell, by the words that people have for it. */
export const hostTerminalsFinder: Finder = {
  order: 65,
  list: () =>
    isAdmin()
      ? [
          {
            id: "host-terminal",
            title: "Terminal of this server",
            group: "Server",
            icon: "terminal",
            words: "shell ssh console command line bash",
            run: () => navigate("/terminal"),
          },
        ]
      : [],
};
