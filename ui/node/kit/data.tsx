import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Card } from "../../kit/card.tsx";
import { Canvas, Chart } from "../../kit/chart.tsx";
import type { Plot } from "../../kit/draw.ts";
import { type LogRow, LogView } from "../../kit/logview.tsx";
import type { Body } from "../../kit/orbit-layout.ts";
import { Orrery } from "../../kit/orrery.tsx";
import { Status } from "../../kit/status.tsx";
import { DataTable } from "../../kit/table.tsx";
import { TimeChart } from "../../kit/time-chart.tsx";

const wave = (shift: number, height: number): number[] =>
  Array.from(
    { length: 120 },
    (_, index) => height + Math.sin((index + shift) / 7) * 14 + Math.sin((index + shift) / 3) * 6,
  );
const bodies: Body[] = [
  { id: "immich", name: "Immich", ring: "Media", memory: 3, processor: 30, state: "ok" },
  { id: "jellyfin", name: "Jellyfin", ring: "Media", memory: 1.4, processor: 12, state: "ok" },
  { id: "vaultwarden", name: "Vaultwarden", ring: "Security", memory: 0.1, processor: 2, state: "info" },
  { id: "paperless", name: "Paperless", ring: "Files", memory: 1, processor: 0, state: "crit" },
  { id: "syncthing", name: "Syncthing", ring: "Files", memory: 0.2, processor: 0, state: "off" },
  { id: "n8n", name: "n8n", ring: "Work", memory: 0.4, processor: 0, state: "busy" },
];
const messages = [
  "[Api] GET /api/assets 200 4 ms",
  "\u001b[32m[Repository]\u001b[0m pool warm",
  "permission denied",
  "slow query, 1.2 s",
];
const levels: NonNullable<LogRow["level"]>[] = ["info", "debug", "error", "warn"];
const rows: LogRow[] = Array.from({ length: 20_000 }, (_, index) => ({
  key: index + 1,
  time: `09:${String(Math.floor(index / 60) % 60).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}.000`,
  level: levels[index % 4] ?? null,
  text: messages[index % 4] ?? "",
}));

const minutes = wave(0, 50).map((_, index) => Date.UTC(2026, 2, 14, 8) + index * 60_000);
const history = [
  { label: "All threads", values: wave(0, 50).map((value, index) => (index > 60 && index < 70 ? null : value)) },
  {
    label: "System",
    values: wave(40, 22).map((value, index) => (index > 60 && index < 70 ? null : value)),
    dash: true,
  },
];
const markers = [{ t: Date.UTC(2026, 2, 14, 8, 30), label: "Backup finished" }];

/** Charts, tables, logs and the orrery. */
export function Data() {
  const plot = useSignal<Plot>({
    series: [
      { values: wave(0, 50), colour: "--c1", fill: true },
      {
        values: wave(40, 22).map((value, index) => (index > 50 && index < 60 ? null : value)),
        colour: "--c2",
        dashed: true,
      },
    ],
    max: 100,
    length: 120,
    rules: [0, 0.5, 1],
  });
  const ys = useSignal(["100%", "50", "0"]);
  const xs = useSignal(["08:00", "09:00", "10:00"]);
  const [follow, setFollow] = useState(true);
  return (
    <>
      <Card title="Chart" w={6}>
        <Chart plot={plot} ys={ys} xs={xs} label="Example: processor and system" />
        <div class="card-b">
          <Canvas plot={plot} height={36} label="Example, small" />
        </div>
      </Card>
      <Card title="Chart over time" w={6}>
        <div class="card-b">
          <TimeChart
            label="Example: processor, two hours"
            times={minutes}
            series={history}
            markers={markers}
            limit={{ value: 90, label: "alert 90%" }}
            max={100}
            format={(value) => `${Math.round(value)}%`}
          />
        </div>
      </Card>
      <Card title="Orrery anatomy" w={6}>
        <div class="card-b">
          <Orrery bodies={bodies} label="Example orrery" />
        </div>
      </Card>
      <Card title="Table" w={6}>
        <DataTable
          label="Example table"
          rows={bodies}
          keyOf={(body) => body.id}
          columns={[
            { id: "name", title: "Name", cell: (body) => <span class="host">{body.name}</span> },
            { id: "state", title: "State", cell: (body) => <Status state={body.state}>{body.state}</Status> },
            { id: "memory", title: "Memory", number: true, cell: (body) => `${body.memory} GB` },
            { id: "ring", title: "Kind", wide: true, cell: (body) => body.ring },
          ]}
        />
      </Card>
      <Card title="Log, 20,000 lines" w={6}>
        <LogView rows={rows} label="Example log" find="denied" follow={follow} onFollow={setFollow} height={240} />
      </Card>
    </>
  );
}
