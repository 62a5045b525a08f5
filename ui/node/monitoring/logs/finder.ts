import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { isAdmin } from "../../client/session.ts";

/** Looks for words in all logs. */
export const logsFinder: Finder = {
  order: 92,
  words: (words) =>
    isAdmin()
      ? [
          {
            id: "logs-words",
            title: `Look for “${words}” in the logs`,
            group: "Logs",
            icon: "terminal",
            run: () => navigate(`/logs?q=${encodeURIComponent(words)}`),
          },
        ]
      : [],
};
