import type { FilesystemEntry } from "../../../../src/node/monitoring/system/contract.ts";
import { bytesText, percent } from "../../../client/format.ts";
import type { Resource } from "../../../client/resource.ts";
import { Dialog } from "../../../kit/dialog.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { toneOf } from "../../monitoring/disks/tone.ts";

/** Space that is neither used nor writable, because it is reserved for root or beyond a quota. Shown when it is more than 1 %. */
function reserved({ total_bytes, used_bytes, free_bytes }: FilesystemEntry): string {
  const rest = total_bytes - used_bytes - free_bytes;
  return rest > total_bytes / 100 ? `, ${bytesText(rest)} reserved by the system` : "";
}

/** Every filesystem with what is used and what is free. */
export function StorageDialog({ disks, onClose }: { disks: Resource<FilesystemEntry[]>; onClose: () => void }) {
  return (
    <Dialog title="Disks" sub="What is used and what is free" onClose={onClose}>
      <Loaded of={disks} what="Disks">
        {(list) => (
          <ul class="stack">
            {list.map((disk) => (
              <li class="diskrow" key={disk.mount_point}>
                <p class="row">
                  <b class="w5">{disk.mount_point}</b>
                  <span class="t13 c3 cut">
                    {disk.device}, {disk.fs_type}
                  </span>
                  <span class="push t13">{percent(disk.usage_percent)}</span>
                </p>
                <Meter
                  value={disk.usage_percent}
                  label={`${disk.mount_point} in use`}
                  tone={toneOf(disk.usage_percent)}
                />
                <p class="t13 c3">
                  {bytesText(disk.used_bytes)} of {bytesText(disk.used_bytes + disk.free_bytes)} used,{" "}
                  {bytesText(disk.free_bytes)} free
                  {reserved(disk)}
                </p>
              </li>
            ))}
            {list.length === 0 && <li class="c3">This server reports no disk with a file system that Orrery knows.</li>}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}
