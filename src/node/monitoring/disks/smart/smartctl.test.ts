import { expect, test } from "bun:test";
import type { ProgramEnd, RunProgram } from "../../../../kernel/host/run-program.ts";
import { createSmartctl } from "./smartctl.ts";

/** A runner that answers in turn and notes what it was asked. */
function scripted(...answers: Partial<ProgramEnd>[]) {
  const asked: { argv: string[]; timeoutMs: number | undefined }[] = [];
  const run: RunProgram = async (argv, options) => {
    asked.push({ argv: [...argv], timeoutMs: options?.timeoutMs });
    return { code: 127, signal: null, stdout: "", stderr: "", cut: [], ...answers.shift() };
  };
  return { asked, run };
}

const json = (value: unknown) => JSON.stringify(value);
const HEALTHY = json({ smart_status: { passed: true } });
const DENIED = json({ smartctl: { messages: [{ string: "open failed: Permission denied", severity: "error" }] } });
const SATA = { name: "sda", transport: "sata" };

test("asks by argv, without waking, for 15 seconds at most", async () => {
  const { run, asked } = scripted({ code: 0, stdout: HEALTHY });
  expect((await createSmartctl("smartctl", run, () => true).ask(SATA)).kind).toBe("reading");
  expect(asked).toEqual([
    {
      argv: ["smartctl", "--json=c", "-a", "-n", "standby,3,5", "-d", "sat", "/dev/sda"],
      timeoutMs: 15_000,
    },
  ]);
});

test("only kinds that are sure are told; a USB bridge is left to smartctl", async () => {
  const { run, asked } = scripted();
  const smartctl = createSmartctl("smartctl", run, () => false);
  for (const transport of ["nvme", "usb", "sas", null]) await smartctl.ask({ name: "x", transport });
  expect(asked.map(({ argv }) => argv.slice(5).join(" "))).toEqual(["-d nvme /dev/x", "/dev/x", "/dev/x", "/dev/x"]);
});

test("an older smartctl is asked in its own words, from then on", async () => {
  const refused = json({ smartctl: { messages: [{ string: "=======> INVALID ARGUMENT TO -n: standby,3,5" }] } });
  const { run, asked } = scripted(
    { code: 1, stdout: refused },
    { code: 3, stdout: "{}" },
    { code: 0, stdout: HEALTHY },
  );
  const smartctl = createSmartctl("smartctl", run, () => false);
  expect((await smartctl.ask(SATA)).kind).toBe("asleep");
  expect((await smartctl.ask(SATA)).kind).toBe("reading");
  expect(asked.map(({ argv }) => argv[4])).toEqual(["standby,3,5", "standby,3", "standby,3"]);
});

test("missing and hanging programs", async () => {
  const { run } = scripted({ code: 127, stdout: "" }, { code: 137, signal: "SIGKILL" });
  const smartctl = createSmartctl("smartctl", run, () => true);
  expect(await smartctl.ask(SATA)).toEqual({ kind: "missing" });
  expect(await smartctl.ask(SATA)).toEqual({ kind: "timeout" });
});

test("what our unit may not, systemd does outside of it, asleep or not", async () => {
  const { run, asked } = scripted({ code: 2, stdout: DENIED }, { code: 3, stdout: "{}" });
  expect((await createSmartctl("smartctl", run, () => true).ask(SATA)).kind).toBe("asleep");
  expect(asked[1]?.argv.slice(0, 6)).toEqual(["systemd-run", "--quiet", "--pipe", "--wait", "--collect", "--"]);
  expect(asked[1]?.argv.slice(6)).toEqual(asked[0]?.argv ?? []);

  const without = scripted({ code: 2, stdout: DENIED });
  expect((await createSmartctl("smartctl", without.run, () => false).ask(SATA)).kind).toBe("failed");
  expect(without.asked).toHaveLength(1);
});
