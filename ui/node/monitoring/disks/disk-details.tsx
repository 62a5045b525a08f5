import { useState } from "preact/hooks";
import type { DiskDetail, DiskHealthEntry, PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import { bytesText, count, duration, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { Drawer } from "../../../kit/dialog.tsx";
import { Chip } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { kindOf, nameOf, readingOf, stateOf } from "./words.ts";

interface DiskDetailsProps {
  disk: PhysicalDisk;
  health: DiskHealthEntry | undefined;
  onClose: () => void;
}

/** Everything that is known of one disk, with every attribute that it keeps. */
export function DiskDetails({ disk, health, onClose }: DiskDetailsProps) {
  const detail = useResource("GET /api/disks/{name}", { path: { name: nameOf(disk.device) } });
  return (
    <Drawer
      title={disk.model ?? nameOf(disk.device)}
      sub={`${bytesText(disk.size_bytes)} ${kindOf(disk)}, ${disk.device}`}
      onClose={onClose}
    >
      <div class="stack">
        <p class="row">
          <Chip state={stateOf(disk.smart)}>{disk.smart.status}</Chip>
          <span class="t13 c3">{readingOf(health)}</span>
        </p>
        {health !== undefined && (
          <div class="c2">
            <p>{health.verdict}</p>
            {health.next_step !== null && <p class="w5">{health.next_step}</p>}
            {health.notes.map((note) => (
              <p class="t13 c3" key={note}>
                {note}
              </p>
            ))}
          </div>
        )}
        {health !== undefined && health.state !== "virtual" && isAdmin() && <ReadNow disk={disk} health={health} />}
        <Facts disk={disk} health={health} />
        <h3 class="t14 w6">Attributes</h3>
        <Loaded of={detail} what="Attributes">
          {(found) => <Attributes detail={found} />}
        </Loaded>
      </div>
    </Drawer>
  );
}

/** Asks the disk at once, even though that may wake it. */
function ReadNow({ disk, health }: { disk: PhysicalDisk; health: DiskHealthEntry }) {
  const [busy, setBusy] = useState(false);
  const mayWake = health.state === "asleep" || health.state === "cannot_tell";
  const read = async (): Promise<void> => {
    setBusy(true);
    try {
      const path = { name: nameOf(disk.device) };
      await api("POST /api/disks/{name}/read", { path });
      await Promise.all([
        resource("GET /api/disks/overview").refresh(),
        resource("GET /api/system/disk/health").refresh(),
        resource("GET /api/disks/{name}", { path }).refresh(),
      ]);
    } catch (error) {
      const { code, message } = asProblem(error);
      const action = { label: "Open Components", run: () => navigate("/components") };
      toast(message, { state: "crit", ...(code === "component_not_installed" ? { action } : {}) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <p>
      <Button size="sm" icon="restart" busy={busy} onClick={read}>
        {mayWake ? "Wake it and read now" : "Read now"}
      </Button>
    </p>
  );
}

/** Numbers that are there, with their names; what a disk does not count is left out. */
function factsOf({ smart, serial, mounts }: PhysicalDisk, health: DiskHealthEntry | undefined): [string, string][] {
  const numbers: [string, number | null, (value: number) => string][] = [
    ["Temperature", smart.temperature_c, (value) => `${Math.round(value)} °C`],
    ["Running for", smart.power_on_hours, (value) => duration(value * 3600)],
    ["Replaced sectors", smart.reallocated_sectors, String],
    ["Unreadable sectors", smart.pending_sectors, String],
    ["Lost reads and writes", smart.media_errors, String],
    ["Worn", smart.percentage_used, (value) => `${value}%`],
  ];
  const readAt = health?.read_at ?? null;
  return [
    ["Serial number", serial ?? "unknown"],
    ["Mounted at", mounts.length === 0 ? "nowhere" : mounts.join(", ")],
    ...numbers.flatMap(([name, value, format]): [string, string][] => (value === null ? [] : [[name, format(value)]])),
    ...(readAt === null ? [] : ([["Read at", moment(readAt)]] satisfies [string, string][])),
  ];
}

function Facts({ disk, health }: { disk: PhysicalDisk; health: DiskHealthEntry | undefined }) {
  return (
    <dl class="dl">
      {factsOf(disk, health).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd data-tip={value}>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function Attributes({ detail }: { detail: DiskDetail }) {
  const rows = Object.entries(detail.smart.attributes);
  if (rows.length === 0) {
    return <EmptyState title="No attributes">They appear once the disk has been read.</EmptyState>;
  }
  return (
    <>
      <p class="t13 c3">
        {count(rows.length, "value")} as the disk keeps them. Only a few mean the same on every disk.
      </p>
      <DataTable
        label="Attributes"
        compact
        rows={rows}
        keyOf={([name]) => name}
        columns={[
          { id: "name", title: "Name", cell: ([name]) => name.replaceAll("_", " ") },
          { id: "value", title: "Value", number: true, cell: ([, value]) => <span class="mono t12">{value}</span> },
        ]}
      />
    </>
  );
}
