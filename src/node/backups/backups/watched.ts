import type { Recovery } from "../../base.ts";
import type { Watched } from "../../watched.ts";
import { isLeftByChoice } from "./left-out.ts";
import type { Needs } from "./needs.ts";

/** The kind of thing that alerts are about: what an app has of backups. */
export const OF_APP = "app_backup";
/** The state in which the newest backup is without an app, for a fault of its own. */
export const LEFT_OUT = "backup_hollow";

/** What alerts can be about of backups. */
export const watchBackups = ({ apps }: Pick<Needs, "apps">): Watched => ({
  kinds: [
    {
      kind: OF_APP,
      any: "any app",
      removed: "the app was uninstalled",
      look: () => {
        const ids = new Set(apps.list().map(({ id }) => id));
        return (id) => ids.has(id);
      },
    },
  ],
  states: [{ kind: OF_APP, name: LEFT_OUT, label: "Left out of backups", title: "An app is left out of backups" }],
});

/** An app that no plan asks for any more is left out by choice; where there are no plans, only a backup of it says that it is well. */
export const watchChoice = ({ db }: Pick<Needs, "db">): Recovery => ({
  metric: LEFT_OUT,
  isGood(entity) {
    return isLeftByChoice(db, entity.slice(OF_APP.length + 1));
  },
});
