import type { Job } from "../../../kernel/jobs.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { Places } from "./manage.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

/** A file that is not finished after a day is not finished at all. */
const MOST_AGE_MS = days(1);

/** Gives up files on their way to a place elsewhere that nobody goes on with. */
export const forgetUploads = ({ db, clock, log }: Pick<Needs, "db" | "clock" | "log">, { driver }: Places): Job => ({
  name: "object-places-uploads",
  everyMs: hours(1),
  async run() {
    for (const { id, bucket } of store.listStale(db, clock.now() - MOST_AGE_MS)) {
      try {
        await (await driver())?.cancelUpload({ name: bucket, upload_id: id });
      } catch (error) {
        log.warn("an unfinished upload could not be given up", { bucket, reason: String(error) });
      }
      store.deleteUpload(db, id);
    }
  },
});
