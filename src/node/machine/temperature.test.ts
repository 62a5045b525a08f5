import { afterEach, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { cpuSensors, createThermometer, parseTemperature, type Sensor } from "./temperature.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function copyOfSys(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-sys-"));
  folders.push(folder);
  cpSync(new URL("fixtures/debian-vm/sys", import.meta.url).pathname, folder, { recursive: true });
  return folder;
}

const sensor = (chip: string, label = ""): Sensor => ({ path: `/${chip}/${label}`, chip, label });

test("the processor's own sensor is preferred to its cores, zones and the mainboard", () => {
  const all = [sensor("acpitz"), sensor("nvme", "Composite"), sensor("x86_pkg_temp"), sensor("coretemp", "Core 0")];
  expect(cpuSensors([...all, sensor("coretemp", "Package id 0")])).toEqual([sensor("coretemp", "Package id 0")]);
  expect(cpuSensors(all)).toEqual([sensor("coretemp", "Core 0")]);
  expect(cpuSensors([sensor("acpitz"), sensor("cpu-thermal")])).toEqual([sensor("cpu-thermal")]);
  expect(cpuSensors([sensor("k10temp", "Tctl"), sensor("k10temp", "Tdie")])).toEqual([sensor("k10temp", "Tdie")]);
  expect(cpuSensors([sensor("nvme", "Composite")])).toEqual([]);
});

test("readings that drivers give when they have none are none", () => {
  expect(["47250", "0", "-128000", "255000", "", "x"].map(parseTemperature)).toEqual([
    47.3,
    null,
    null,
    null,
    null,
    null,
  ]);
});

test("the value is read in the background and grows old", async () => {
  const sys = copyOfSys();
  const input = join(sys, "class/hwmon/hwmon0/temp1_input");
  const clock = createFakeClock();
  const thermometer = createThermometer(clock, sys);
  expect(thermometer.read()).toBeNull();
  await thermometer.settled();
  expect(thermometer.read()).toBe(47.3);

  writeFileSync(input, "60000");
  await clock.advance(4_000);
  expect(thermometer.read()).toBe(47.3);
  await clock.advance(2_000);
  expect(thermometer.read()).toBe(47.3);
  await thermometer.settled();
  expect(thermometer.read()).toBe(60);
  await clock.advance(31_000);
  expect(thermometer.read()).toBeNull();
});

test("two sockets show the hotter one; without sensors there is null", async () => {
  const sys = copyOfSys();
  writeFileSync(join(sys, "class/hwmon/hwmon0/temp2_label"), "Package id 1");
  const thermometer = createThermometer(createFakeClock(), sys);
  thermometer.read();
  await thermometer.settled();
  expect(thermometer.read()).toBe(51);

  const bare = createThermometer(createFakeClock(), join(sys, "none"));
  bare.read();
  await bare.settled();
  expect(bare.read()).toBeNull();
});
