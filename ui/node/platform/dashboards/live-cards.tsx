import { type ReadonlySignal, useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RecentSamples } from "../../../../src/node/monitoring/metrics/contract.ts";
import type { FilesystemEntry, LiveMetrics } from "../../../../src/node/monitoring/system/contract.ts";
import { bitrate, bytes, bytesText, percent } from "../../../client/format.ts";
import type { Resource } from "../../../client/resource.ts";
import type { IconName } from "../../../icons/names.ts";
import { Canvas } from "../../../kit/chart.tsx";
import { axisMax, type Plot, type Series } from "../../../kit/draw.ts";
import { Icon } from "../../../kit/icon.tsx";
import { Meter } from "../../../kit/progress.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { resource } from "../../client/resource.ts";
import { toneOf } from "../../monitoring/disks/tone.ts";
import { liveLength, samples } from "../../monitoring/system/live.ts";
import { pastValues, withoutEmptyStart } from "./past.ts";

const length = liveLength;
/** Seconds that a chart spans at least; a server that began just now has less to show than two minutes. */
const shortest = 20;

/** One of the live widgets, once a second. Numbers are text nodes and lines are canvas: no component renders per second. */
export function LiveCard({
  id,
  disks,
  onStorage,
}: {
  id: "processor" | "memory" | "network" | "storage";
  disks: Resource<FilesystemEntry[]>;
  onStorage: () => void;
}) {
  const last = useComputed(() => samples.value.at(-1) ?? null);
  // Loaded once, for the minutes before this page was opened; the live samples that follow are finer.
  useEffect(() => {
    const recent = resource("GET /api/system/metrics/recent");
    if (recent.data.peek() === null && samples.peek().length < length) void recent.load();
  }, []);
  if (id === "processor") return <Processor last={last} />;
  if (id === "memory") return <Memory last={last} />;
  if (id === "network") return <Network last={last} />;
  return <Storage disks={disks} onStorage={onStorage} />;
}

type Last = ReadonlySignal<LiveMetrics | null>;

/** Text from the newest sample; a dash before the first one. */
function useText(last: Last, read: (sample: LiveMetrics) => string): ReadonlySignal<string> {
  return useComputed(() => (last.value === null ? "–" : read(last.value)));
}

function usePlot(
  colours: string[],
  read: (sample: LiveMetrics) => number[],
  readPast: (sample: RecentSamples[number], last: LiveMetrics | null) => (number | null)[],
  max: (largest: number, before: number) => number,
): ReadonlySignal<Plot> {
  const before = useRef(0);
  return useComputed(() => {
    const live = samples.value;
    const recent = resource("GET /api/system/metrics/recent").data.value ?? [];
    const past = pastValues(recent, live, (sample) => readPast(sample, live.at(-1) ?? null));
    const rows = withoutEmptyStart([...past, ...live.map(read)]);
    const largest = Math.max(0, ...rows.flat().map((value) => value ?? 0));
    before.current = max(largest, before.current);
    const series: Series[] = colours.map((colour, index) => ({
      colour,
      fill: index === 0,
      values: rows.map((row) => row[index] ?? null),
    }));
    return { series: series.reverse(), max: before.current, length: Math.max(shortest, rows.length) };
  });
}

function MetricCard({
  icon,
  title,
  aside,
  plot,
  label,
  children,
}: {
  icon: IconName;
  title: string;
  aside: ReadonlySignal<string>;
  plot: ReadonlySignal<Plot>;
  label: string;
  children: preact.ComponentChildren;
}) {
  return (
    <div class="metric-cell">
      <article class="card metric">
        <div class="row">
          <Icon name={icon} class="s" />
          <h2>{title}</h2>
          <span class="push t13 c3">{aside}</span>
        </div>
        <p class="stat">{children}</p>
        <Canvas plot={plot} height={36} fills label={label} />
      </article>
    </div>
  );
}

function Processor({ last }: { last: Last }) {
  const value = useText(last, (sample) => Math.round(sample.cpu_percent).toString());
  const aside = useComputed(() => {
    const sample = last.value;
    if (sample === null) return "";
    const heat = sample.cpu_temp_c === null ? "" : `, ${Math.round(sample.cpu_temp_c)} °C`;
    return `${sample.per_core.length} ${sample.per_core.length === 1 ? "thread" : "threads"}${heat}`;
  });
  const plot = usePlot(
    ["--c1"],
    (sample) => [sample.cpu_percent],
    (sample) => [sample.cpu_percent],
    // The whole height is the whole processor, so that a line at the top means just that.
    () => 100,
  );
  return (
    <MetricCard icon="cpu" title="Processor" aside={aside} plot={plot} label="Processor, last two minutes">
      <b>{value}</b>
      <span class="u">%</span>
    </MetricCard>
  );
}

function Memory({ last }: { last: Last }) {
  const value = useText(last, (sample) => bytes(sample.ram_used_bytes, "memory").value);
  const unit = useText(last, (sample) => {
    const [used, total] = [bytes(sample.ram_used_bytes, "memory"), bytes(sample.ram_total_bytes, "memory")];
    return used.unit === total.unit
      ? `of ${total.value} ${total.unit}`
      : `${used.unit} of ${total.value} ${total.unit}`;
  });
  const aside = useText(last, (sample) => percent((sample.ram_used_bytes / sample.ram_total_bytes) * 100));
  const plot = usePlot(
    ["--c3"],
    (sample) => [sample.ram_used_bytes / Math.max(1, sample.ram_total_bytes)],
    (sample, now) => [
      sample.ram_used_bytes === null || now === null ? null : sample.ram_used_bytes / Math.max(1, now.ram_total_bytes),
    ],
    () => 1,
  );
  return (
    <MetricCard icon="memory" title="Memory" aside={aside} plot={plot} label="Memory in use, last two minutes">
      <b>{value}</b>
      <span class="u">{unit}</span>
    </MetricCard>
  );
}

function Network({ last }: { last: Last }) {
  const inward = useText(last, (sample) => bitrate(sample.net.rx_bytes_per_sec).value);
  const inUnit = useText(last, (sample) => `${bitrate(sample.net.rx_bytes_per_sec).unit} in`);
  const outward = useText(last, (sample) => bitrate(sample.net.tx_bytes_per_sec).value);
  const outUnit = useText(last, (sample) => `${bitrate(sample.net.tx_bytes_per_sec).unit} out`);
  const aside = useComputed(() => last.value?.net.iface ?? "");
  const plot = usePlot(
    ["--c1", "--c2"],
    (sample) => [sample.net.rx_bytes_per_sec, sample.net.tx_bytes_per_sec],
    (sample) => [sample.rx_bytes_per_sec, sample.tx_bytes_per_sec],
    (largest, before) => axisMax(largest, before, 2000),
  );
  return (
    <MetricCard icon="network" title="Network" aside={aside} plot={plot} label="Network in and out, last two minutes">
      <b>{inward}</b>
      <span class="u">{inUnit}</span>
      <b class="sec">{outward}</b>
      <span class="u">{outUnit}</span>
    </MetricCard>
  );
}

function Storage({ disks, onStorage }: { disks: Resource<FilesystemEntry[]>; onStorage: () => void }) {
  const list = disks.data.value ?? [];
  const fullest = list.reduce<FilesystemEntry | null>(
    (worst, disk) => (worst === null || disk.usage_percent > worst.usage_percent ? disk : worst),
    null,
  );
  // What can be used of it, so that text, bar and percentage say the same.
  const total = fullest === null ? 0 : fullest.used_bytes + fullest.free_bytes;
  const [usedText, totalText] = [bytes(fullest?.used_bytes ?? 0), bytes(total)];
  const tone = toneOf(fullest?.usage_percent ?? 0);
  return (
    <div class="metric-cell">
      <button type="button" class="card metric asbutton" onClick={onStorage}>
        <span class="row">
          <Icon name="disk" class="s" />
          <span class="h">
            Storage<span class="sr">, see disks</span>
          </span>
          <span class="push t13 c3">{fullest === null ? "" : percent(fullest.usage_percent)}</span>
        </span>
        <span class="stat">
          <b>{total === 0 ? "–" : usedText.value}</b>
          <span class="u">
            {total === 0
              ? ""
              : `${usedText.unit === totalText.unit ? "" : `${usedText.unit} `}of ${totalText.value} ${totalText.unit}`}
          </span>
        </span>
        <span class="vol">
          <Meter value={fullest?.usage_percent ?? 0} label="Storage in use" tone={tone} />
          <span class="t13 c2 row">
            {fullest !== null && <Glyph state={tone === "" ? "ok" : tone} />}
            <span class="cut">
              {fullest === null
                ? ""
                : `${bytesText(fullest.free_bytes)} free on ${fullest.mount_point}${list.length > 1 ? `, the fullest of ${list.length}` : ""}`}
            </span>
          </span>
        </span>
      </button>
    </div>
  );
}
