/** Notifications: what members should know of, in a list and by mail, as each of them wants it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import { createNotificationChanges } from "./changes.ts";
import { fail } from "./contract.ts";
import { deleteOld } from "./forget-store.ts";
import { queueDue, queueLetters } from "./letters.ts";
import { countReadings, KEPT, KEPT_MS } from "./logic.ts";
import init from "./migrations/0001_notifications.sql" with { type: "text" };
import delivery from "./migrations/0002_delivery.sql" with { type: "text" };
import translations from "./migrations/0003_translations.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { recordNotice } from "./record.ts";
import { bindNotificationRoutes } from "./routes.ts";
import { digestLetters, notificationLetters } from "./write-letters.ts";

export const notificationsFeature = defineFeature({
  name: "notifications",
  migrations: [init, delivery, translations],
  errors: fail.table,
});

export function createNotifications(needs: Needs): Part {
  const changes = createNotificationChanges();
  const own = { ...needs, changes };
  needs.lists.changes.add(changes);
  needs.lists.letters.add(notificationLetters(needs));
  needs.lists.letters.add(digestLetters(needs));
  needs.lists.unread.add({ count: (db, readings) => countReadings(needs, db, readings) });
  return {
    feature: notificationsFeature,
    routes: [bindNotificationRoutes(own)],
    jobs: [
      {
        name: "notifications.mail",
        everyMs: seconds(5),
        async run(signal) {
          await queueLetters(needs, signal);
          await queueDue(needs, signal);
        },
      },
      {
        name: "notifications.forget",
        everyMs: hours(1),
        run: (signal) => deleteOld(needs.system, needs.clock.now() - KEPT_MS, KEPT, signal),
      },
    ],
    subscribe: () => void needs.bus.onEmit((tx, name, event) => recordNotice(own, tx, name, event)),
  };
}
