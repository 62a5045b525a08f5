import type { DiskHealthEntry, PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import { bytesText, percent } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Chip } from "../../../kit/status.tsx";
import { DiskPicture } from "./picture.tsx";
import { toneOf } from "./tone.ts";
import { kindOf, nameOf, readingOf, stateOf } from "./words.ts";

interface DiskCardProps {
  disk: PhysicalDisk;
  health: DiskHealthEntry | undefined;
  /** What can still be written to the filesystems on it; null while that is not known. */
  freeBytes: number | null;
  onOpen: () => void;
}

/** One disk: what it is, how full, how warm, how it is and what to do. */
export function DiskCard({ disk, health, freeBytes, onOpen }: DiskCardProps) {
  const { smart } = disk;
  return (
    <article class="card diskcard" aria-label={disk.model ?? nameOf(disk.device)}>
      <div class="diskhead">
        <DiskPicture disk={disk} />
        <div class="col">
          <h2 class="cut">{disk.model ?? nameOf(disk.device)}</h2>
          <p class="t13 c3">
            {bytesText(disk.size_bytes)} {kindOf(disk)}
          </p>
          <p class="t13 c3 mono cut">{disk.device}</p>
        </div>
        <span class="push">
          <Chip state={stateOf(smart)}>{smart.status}</Chip>
        </span>
      </div>
      <div class="diskuse">
        <p class="row t13">
          <span>
            {bytesText(disk.used_bytes)} <span class="c3">used</span>
            {freeBytes !== null && disk.mounts.length > 0 && (
              <>
                , {bytesText(freeBytes)} <span class="c3">free</span>
              </>
            )}
          </span>
          <span class="push">{percent(disk.used_percent)}</span>
        </p>
        <Meter
          value={disk.used_percent}
          label={`${disk.model ?? disk.device} in use`}
          tone={toneOf(disk.used_percent)}
        />
        <p class="t12 c3 cut">{disk.mounts.length === 0 ? "Nothing of it is mounted" : disk.mounts.join(", ")}</p>
      </div>
      <div class="diskverdict">
        <p>{health?.verdict ?? ""}</p>
        {toneOf(disk.used_percent) === "crit" && (
          <p class="advice">
            <Icon name="right" />
            It is nearly full: delete or move something, or add a disk.
          </p>
        )}
        {health !== undefined && health.next_step !== null && (
          <p class="advice">
            <Icon name="right" />
            {health.next_step}
          </p>
        )}
      </div>
      <footer class="card-f">
        {smart.temperature_c !== null && <span class="warmth">{Math.round(smart.temperature_c)} °C</span>}
        <span class="c3 cut">{readingOf(health)}</span>
        <span class="push">
          <Button size="sm" onClick={onOpen}>
            Details
          </Button>
        </span>
      </footer>
    </article>
  );
}
