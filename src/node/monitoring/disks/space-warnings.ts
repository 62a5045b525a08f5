import type { Needs } from "./needs.ts";
import { addWarned, listWarned, removeWarned } from "./store.ts";

type Deps = Pick<Needs, "db" | "host" | "bus">;

/** A filesystem above this is reported, once. */
const WARN_PERCENT = 90;
/** It has to fall below this before it is reported again, so that one that hovers about the limit is not. */
const CLEAR_PERCENT = 85;

/** Reports the filesystems that have crossed the limit since the last look. One that does not answer stays as it was. */
export async function checkSpace({ db, host, bus }: Deps): Promise<void> {
  const filesystems = await host.filesystems();
  db.tx(() => {
    const warned = new Set(listWarned(db));
    for (const { device, mount_point, usage_percent } of filesystems) {
      if (usage_percent >= WARN_PERCENT && !warned.has(mount_point)) {
        addWarned(db, mount_point);
        bus.emit("system.disk_warning", { device, mount_point, used_percent: usage_percent });
      }
      if (usage_percent < CLEAR_PERCENT && warned.has(mount_point)) removeWarned(db, mount_point);
    }
  });
}
