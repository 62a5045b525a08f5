import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";

/** Looks for words in the audit log. */
export const auditLogFinder: Finder = {
  order: 90,
  words: (words) =>
    may("users:manage")
      ? [
          {
            id: "audit-words",
            title: `Look for “${words}” in the audit log`,
            group: "Audit log",
            icon: "file-text",
            run: () => navigate(`/audit?q=${encodeURIComponent(words)}`),
          },
        ]
      : [],
};
