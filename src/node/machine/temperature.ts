import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";

/** A temperature file and what the kernel calls it. */
export interface Sensor {
  /** File that gives thousandths of a degree Celsius. */
  path: string;
  /** Driver of a hwmon chip, or type of a thermal zone. */
  chip: string;
  /** Empty when the driver gives none. */
  label: string;
}

const RANKS: readonly (readonly [chip: RegExp, label: RegExp])[] = [
  [/^coretemp$/, /^Package id/],
  [/^(k10temp|zenpower)$/, /^Tdie$/],
  [/^(k10temp|zenpower)$/, /^Tctl$/],
  [/^cpu[_-]thermal$/, /./],
  [/^cpu[_-]thermal$/, /^$/],
  [/^coretemp$/, /^Core/],
  [/^x86_pkg_temp$/, /^$/],
  [/^(soc|cpu\d*|big\d*|package)[_-]thermal$/, /^$/],
  [/^acpitz$/, /^$/],
];

/** The sensors that tell the processor's temperature best: those of the best-known kind, several with several sockets. */
export function cpuSensors(sensors: readonly Sensor[]): Sensor[] {
  for (const [chip, label] of RANKS) {
    const found = sensors.filter((sensor) => chip.test(sensor.chip) && label.test(sensor.label));
    if (found.length > 0) return found;
  }
  return [];
}

/** Degrees Celsius with one decimal; null for readings that drivers give when they have none. */
export function parseTemperature(text: string): number | null {
  const degrees = Math.round(Number.parseInt(text, 10) / 100) / 10;
  return degrees > 0 && degrees < 200 ? degrees : null;
}

const textOf = (path: string): Promise<string> =>
  readFile(path, "utf8").then(
    (text) => text.trim(),
    () => "",
  );
const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);

/** Lists all temperature sensors below `sysRoot`. */
export async function findSensors(sysRoot: string): Promise<Sensor[]> {
  const sensors: Sensor[] = [];
  const hwmon = join(sysRoot, "class/hwmon");
  for (const name of (await namesIn(hwmon)).sort()) {
    const chip = await textOf(join(hwmon, name, "name"));
    for (const file of await namesIn(join(hwmon, name))) {
      if (!/^temp\d+_input$/.test(file)) continue;
      const label = await textOf(join(hwmon, name, file.replace("_input", "_label")));
      sensors.push({ path: join(hwmon, name, file), chip, label });
    }
  }
  const thermal = join(sysRoot, "class/thermal");
  for (const name of (await namesIn(thermal)).sort()) {
    if (!name.startsWith("thermal_zone")) continue;
    sensors.push({ path: join(thermal, name, "temp"), chip: await textOf(join(thermal, name, "type")), label: "" });
  }
  return sensors;
}

/** The processor's temperature without ever waiting for a driver. */
export interface Thermometer {
  /** The last reading, null without a sensor; asking starts the next reading when that one has grown old. */
  read(): number | null;
  /** Resolves when no reading is under way. */
  settled(): Promise<void>;
}

const FRESH_MS = seconds(5);
const STALE_MS = seconds(30);
const RESCAN_MS = seconds(300);

/** Reads in the background, one reading at a time: some drivers block, and then only the value grows old. */
export function createThermometer(clock: Clock, sysRoot: string): Thermometer {
  let sensors: Sensor[] = [];
  let scannedAt = Number.NEGATIVE_INFINITY;
  let last: { value: number | null; at: number } | null = null;
  let reading: Promise<void> | null = null;

  async function readNow(): Promise<void> {
    if (clock.monotonic() - scannedAt > RESCAN_MS) {
      scannedAt = clock.monotonic();
      sensors = cpuSensors(await findSensors(sysRoot));
    }
    const values: number[] = [];
    for (const { path } of sensors) {
      const value = parseTemperature(await textOf(path));
      if (value !== null) values.push(value);
    }
    last = { value: values.length > 0 ? Math.max(...values) : null, at: clock.monotonic() };
  }

  return {
    read() {
      const age = last ? clock.monotonic() - last.at : Number.POSITIVE_INFINITY;
      if (age > FRESH_MS && !reading) {
        reading = readNow().finally(() => {
          reading = null;
        });
      }
      return last && age < STALE_MS ? last.value : null;
    },
    settled: async () => reading ?? undefined,
  };
}
