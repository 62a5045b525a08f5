import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { isAdmin } from "../../client/session.ts";

/** Looks for words in the audit log. */
export const auditFinder: Finder = {
  order: 90,
  words: (words) =>
    isAdmin()
      ? [
          {
            id: "audit-words",
            title: `Look for “${words}” in the audit log`,
            group: "Audit log",
            icon: "logs",
            run: () => navigate(`/audit?q=${encodeURIComponent(words)}`),
          },
        ]
      : [],
};
