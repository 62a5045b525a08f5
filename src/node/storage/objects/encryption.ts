import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Encryption } from "./contract.ts";
import type { By, Own } from "./own.ts";

/** The disk that a path lies on, or would lie on. */
const diskOf = (path: string): number => (existsSync(path) ? statSync(path).dev : diskOf(dirname(path)));

/** Whether what is stored is encrypted, how far that is, and where the key lies. */
export function presentEncryption({ objectStore, config }: Pick<Own, "objectStore" | "config">): Encryption {
  const { on, isDone, total, left, key, folder } = objectStore.sealing();
  const keyFile = join(config.data_dir, "node.key");
  return {
    on,
    status: isDone ? "done" : "following",
    done_bytes: total - left,
    total_bytes: total,
    key_file: keyFile,
    folder,
    key_is_beside: diskOf(keyFile) === diskOf(folder),
    key_id: key,
  };
}

/** Switches it for what is stored from here on; the rest follows. Throws `objstore_store_unavailable`, `disk_full`. */
export async function switchEncryption(own: Own, by: By, on: boolean): Promise<Encryption> {
  const { objectStore, db, bus } = own;
  if (objectStore.sealing().on !== on) {
    await objectStore.change({ kind: "setSealing", on });
    db.record(() => bus.emit("objects.encryption_changed", { ...by, on }));
  }
  return presentEncryption(own);
}
