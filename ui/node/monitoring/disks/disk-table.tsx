import type { DiskHealthEntry, PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import { bytesText, percent } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { kindOf, nameOf, readingOf, stateOf } from "./words.ts";

interface DiskTableProps {
  disks: PhysicalDisk[];
  healthOf: (disk: PhysicalDisk) => DiskHealthEntry | undefined;
  onOpen: (disk: PhysicalDisk) => void;
}

/** The same as the cards, as a table. */
export function DiskTable({ disks, healthOf, onOpen }: DiskTableProps) {
  return (
    <Card>
      <DataTable
        label="Disks"
        rows={disks}
        keyOf={({ device }) => device}
        columns={[
          {
            id: "disk",
            title: "Disk",
            cell: (disk) => (
              <span class="col diskname">
                <span class="w5 cut">{disk.model ?? nameOf(disk.device)}</span>
                <span class="t12 c3">{kindOf(disk)}</span>
              </span>
            ),
          },
          { id: "device", title: "Device", wide: true, cell: (disk) => <span class="mono t13">{disk.device}</span> },
          { id: "size", title: "Size", number: true, wide: true, cell: (disk) => bytesText(disk.size_bytes) },
          { id: "used", title: "Used", number: true, cell: (disk) => percent(disk.used_percent) },
          {
            id: "health",
            title: "Health",
            cell: (disk) => <Status state={stateOf(disk.smart)}>{disk.smart.status}</Status>,
          },
          {
            id: "warmth",
            title: "Temperature",
            number: true,
            wide: true,
            cell: ({ smart }) => (smart.temperature_c === null ? "–" : `${Math.round(smart.temperature_c)} °C`),
          },
          { id: "age", title: "Reading", wide: true, cell: (disk) => readingOf(healthOf(disk)) },
          {
            id: "open",
            title: "",
            cell: (disk) => (
              <Button size="sm" onClick={() => onOpen(disk)}>
                Details
              </Button>
            ),
          },
        ]}
      />
    </Card>
  );
}
