import type { PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import { toneOf } from "./tone.ts";

/** A drawing of the disk: platters or chips by its kind, filled as far as it is used. */
export function DiskPicture({ disk }: { disk: PhysicalDisk }) {
  const tone = toneOf(disk.used_percent);
  return (
    <svg class={`diskpic ${tone}`} viewBox="0 0 96 64" aria-hidden="true">
      {disk.transport === "nvme" ? <Stick /> : disk.rotational ? <Platter percent={disk.used_percent} /> : <Chips />}
    </svg>
  );
}

function Platter({ percent }: { percent: number }) {
  const length = 2 * Math.PI * 20;
  return (
    <>
      <rect class="case" x="2" y="2" width="92" height="60" rx="7" />
      <circle class="disc" cx="40" cy="32" r="25" />
      <circle class="track" cx="40" cy="32" r="20" />
      <circle
        class="full"
        cx="40"
        cy="32"
        r="20"
        transform="rotate(-90 40 32)"
        stroke-dasharray={`${(length * Math.min(100, percent)) / 100} ${length}`}
      />
      <circle class="hub" cx="40" cy="32" r="5" />
      <path class="arm" d="M82 50 L60 30" />
      <circle class="hub" cx="82" cy="50" r="5" />
    </>
  );
}

const chipsAt = [
  [12, 12],
  [34, 12],
  [56, 12],
  [12, 36],
  [34, 36],
  [56, 36],
] as const;

function Chips() {
  return (
    <>
      <rect class="case" x="2" y="2" width="92" height="60" rx="7" />
      {chipsAt.map(([x, y]) => (
        <rect class="chipbox" key={`${x} ${y}`} x={x} y={y} width="17" height="17" rx="2" />
      ))}
      <rect class="chipbox core" x="78" y="20" width="10" height="24" rx="2" />
    </>
  );
}

function Stick() {
  return (
    <>
      <rect class="case" x="2" y="16" width="92" height="32" rx="4" />
      <rect class="chipbox core" x="14" y="23" width="14" height="18" rx="2" />
      <rect class="chipbox" x="34" y="23" width="18" height="18" rx="2" />
      <rect class="chipbox" x="57" y="23" width="18" height="18" rx="2" />
      <path class="arm" d="M7 21 v6 M7 30 v4 M7 37 v6" />
      <circle class="hub" cx="94" cy="32" r="4" />
    </>
  );
}
