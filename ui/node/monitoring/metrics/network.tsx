import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { HistoryRange, NetworkInterface } from "../../../../src/node/monitoring/metrics/contract.ts";
import { bitrate, bytesText, text } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented, Select } from "../../../kit/choice.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { prefetchTimeChart, TimeChart } from "../../../kit/time-chart.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { samples, startLive } from "../system/live.ts";

prefetchTimeChart();

const ranges: { value: HistoryRange; label: string }[] = [
  { value: "5m", label: "5 min" },
  { value: "15m", label: "15 min" },
  { value: "1h", label: "1 h" },
  { value: "6h", label: "6 h" },
  { value: "24h", label: "24 h" },
];

const traffic = (bytesPerSecond: number): string => text(bitrate(bytesPerSecond));

/** Every interface with what goes through it now, and the history of one of them. */
export function Network() {
  useEffect(startLive, []);
  const interfaces = useResource("GET /api/system/network/interfaces", { everyMs: 10_000 });
  return (
    <div class="page">
      <header class="head">
        <h1>Network</h1>
      </header>
      <Loaded of={interfaces} what="Network" skeleton={<Waiting />}>
        {(list) => (list.length === 0 ? <NoNetwork /> : <Interfaces list={list} />)}
      </Loaded>
    </div>
  );
}

function Waiting() {
  return (
    <Card>
      <Skeleton rows={4} />
    </Card>
  );
}

function NoNetwork() {
  return (
    <Card>
      <EmptyState title="No network interface">
        This server has only its loopback. Plug in a cable or load the driver of its card; it appears here by itself.
      </EmptyState>
    </Card>
  );
}

function Interfaces({ list }: { list: NetworkInterface[] }) {
  const measured = list.filter(hasHistory);
  const chosen = measured.find(({ name }) => name === query.value.get("interface")) ?? measured[0];
  const virtual = list.filter(({ kind }) => kind === "virtual");
  const shown = query.value.get("all") === "1" ? list : list.filter((one) => one.kind !== "virtual" || one.is_default);
  return (
    <>
      {chosen !== undefined && <History of={chosen} choices={measured} />}
      <Card
        title="Interfaces"
        actions={
          virtual.length > 0 && (
            <Segmented
              size="sm"
              label="Which interfaces"
              value={query.value.get("all") === "1" ? "all" : "real"}
              options={[
                { value: "real", label: "Hardware" },
                { value: "all", label: `All ${list.length}` },
              ]}
              onValue={(value) => setQuery({ all: value === "all" ? "1" : null })}
            />
          )
        }
      >
        <InterfaceTable list={shown.length > 0 ? shown : list} />
      </Card>
    </>
  );
}

const hasHistory = ({ rx_bytes_per_sec }: NetworkInterface): boolean => rx_bytes_per_sec !== null;

function InterfaceTable({ list }: { list: NetworkInterface[] }) {
  return (
    <DataTable
      label="Network interfaces"
      rows={list}
      keyOf={({ name }) => name}
      columns={[
        {
          id: "name",
          title: "Name",
          cell: (one) => (
            <span class="col roomy">
              <span class="w5">{one.name}</span>
              <span class="t12 c3">{kindWords(one)}</span>
            </span>
          ),
        },
        {
          id: "state",
          title: "State",
          cell: ({ is_up }) => <Status state={is_up ? "ok" : "off"}>{is_up ? "Up" : "Down"}</Status>,
        },
        {
          id: "addresses",
          title: "Addresses",
          wide: true,
          cell: ({ addresses }) =>
            addresses.length === 0 ? (
              <span class="c3">none</span>
            ) : (
              <span class="col mono t12 roomy">
                {addresses.map((address) => (
                  <span key={address}>{address}</span>
                ))}
              </span>
            ),
        },
        {
          id: "mac",
          title: "Hardware address",
          wide: true,
          cell: ({ mac }) => <span class="mono t12">{mac ?? "–"}</span>,
        },
        { id: "in", title: "In", number: true, cell: (one) => <Rate of={one} way="rx_bytes_per_sec" /> },
        { id: "out", title: "Out", number: true, cell: (one) => <Rate of={one} way="tx_bytes_per_sec" /> },
        {
          id: "total",
          title: "Since it came up",
          number: true,
          wide: true,
          cell: ({ rx_bytes, tx_bytes }) => `${bytesText(rx_bytes)} in, ${bytesText(tx_bytes)} out`,
        },
      ]}
    />
  );
}

function kindWords({ kind, speed_mbps, is_default }: NetworkInterface): string {
  const names = { ethernet: "Ethernet", wireless: "Wireless", virtual: "Virtual" };
  const speed = speed_mbps === null || speed_mbps === 0 ? "" : `, ${text(bitrate((speed_mbps * 1e6) / 8))}`;
  return `${names[kind]}${speed}${is_default ? ", way to the internet" : ""}`;
}

/** The rate of now, once a second, without rendering the table. */
function Rate({ of, way }: { of: NetworkInterface; way: "rx_bytes_per_sec" | "tx_bytes_per_sec" }) {
  const rate = useComputed(() => {
    const last = samples.value.at(-1);
    const live =
      last?.ifaces.find(({ name }) => name === of.name) ?? (last?.net.iface === of.name ? last.net : undefined);
    const value = live?.[way] ?? of[way];
    return value === null ? "–" : traffic(value);
  });
  return <span>{rate}</span>;
}

/** Traffic of one interface; ranges as the server keeps them. */
function History({ of, choices }: { of: NetworkInterface; choices: NetworkInterface[] }) {
  const range = ranges.find(({ value }) => value === query.value.get("range"))?.value ?? "1h";
  const history = useResource("GET /api/network/history", {
    query: { interface: of.name, range },
    everyMs: range === "5m" ? 10_000 : 30_000,
  });
  return (
    <>
      <div class="rangebar">
        <Segmented label="Range" value={range} options={ranges} onValue={(value) => setQuery({ range: value })} />
        {choices.length > 1 && (
          <Select
            label="Interface"
            value={of.name}
            options={choices.map(({ name }) => ({ value: name, label: name }))}
            onValue={(name) => setQuery({ interface: name })}
          />
        )}
      </div>
      <Card title={`Traffic of ${of.name}`}>
        <div class="card-b netchart">
          <Loaded of={history} what="Traffic" skeleton={<Skeleton height={240} />}>
            {({ points, bucket_seconds }) => (
              <TimeChart
                label={`Traffic of ${of.name}, means of ${bucket_seconds < 60 ? `${bucket_seconds} s` : `${bucket_seconds / 60} min`}`}
                times={points.map(({ ts }) => Date.parse(ts))}
                series={[
                  { label: "In", values: points.map((one) => (one.measured ? one.rx_bytes_per_sec : null)) },
                  {
                    label: "Out",
                    values: points.map((one) => (one.measured ? one.tx_bytes_per_sec : null)),
                    dash: true,
                  },
                ]}
                format={traffic}
                least={12_500}
                height={200}
              />
            )}
          </Loaded>
        </div>
      </Card>
    </>
  );
}
