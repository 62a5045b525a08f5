import { expect, test } from "bun:test";
import { parseCpuInfo } from "./cpu-info.ts";

const block = (lines: Record<string, string | number>) =>
  `${Object.entries(lines)
    .map(([key, value]) => `${key}\t: ${value}`)
    .join("\n")}\n\n`;

test("a captured virtual machine", async () => {
  const text = await Bun.file(new URL("fixtures/debian-vm/proc/cpuinfo", import.meta.url)).text();
  expect(parseCpuInfo(text)).toEqual({ model: "Intel(R) Xeon(R) Processor", cores: 2, threads: 2 });
});

test("two sockets with two cores of two threads", () => {
  const text = [0, 1]
    .flatMap((socket) => [0, 0, 1, 1].map((core) => ({ "physical id": socket, "core id": core })))
    .map((ids, processor) => block({ processor, "model name": "AMD  EPYC 7302P  16-Core Processor", ...ids }))
    .join("");
  expect(parseCpuInfo(text)).toEqual({ model: "AMD EPYC 7302P 16-Core Processor", cores: 4, threads: 8 });
});

test("a Raspberry Pi gives numbers; its board is not its processor", () => {
  const cores = [0, 1, 2, 3].map((processor) =>
    block({ processor, BogoMIPS: "108.00", "CPU implementer": "0x41", "CPU part": "0xd08" }),
  );
  const text = `${cores.join("")}Revision\t: d03114\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n`;
  expect(parseCpuInfo(text)).toEqual({ model: "Arm Cortex-A72", cores: 4, threads: 4 });
});

test("an unknown Arm processor falls back to the board", () => {
  const text = `${block({ processor: 0, "CPU implementer": "0x99", "CPU part": "0x001" })}Model\t\t: Some Board\n`;
  expect(parseCpuInfo(text).model).toBe("Some Board");
});

test("nothing readable is still one processor", () => {
  expect(parseCpuInfo("")).toEqual({ model: "Unknown processor", cores: 1, threads: 1 });
});
