import { navigate } from "../../../client/router.ts";
import { type Finder, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const repositories = () => resource("GET /api/backup/restic");

/** Repositories of restic that are attached, and a further one. */
export const resticFinder: Finder = {
  order: 23,
  open: () => (isAdmin() ? repositories().need() : undefined),
  list: () =>
    isAdmin()
      ? [
          wishCommand(
            {
              title: "Attach a restic repository",
              group: "Backups",
              icon: "plus",
              words: "open snapshots import",
            },
            { address: "/backups", wish: "restic" },
          ),
          ...(repositories().data.value ?? []).map(({ id, name, path }) => ({
            id: `restic-${id}`,
            title: name,
            detail: path,
            group: "restic repository",
            icon: "database",
            words: `${path} snapshots`,
            run: () => navigate(`/backups/restic/${encodeURIComponent(id)}`),
          })),
        ]
      : [],
};
