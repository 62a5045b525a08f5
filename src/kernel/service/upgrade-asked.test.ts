import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock, passing } from "../../../tests/kit/fake-clock.ts";
import { failAt } from "../../../tests/kit/power-cut.ts";
import { type Behaviour, createTempHost, TEST_PROGRAM, type TempHost } from "../../../tests/kit/temp-host.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { createIds } from "../../lib/ids.ts";
import { runCommand } from "./cli.ts";
import type { Host } from "./host.ts";
import { installCommand } from "./install.ts";
import { layoutOf } from "./program.ts";
import { writeReleaseList } from "./release-list.ts";
import { carryOutRequest } from "./upgrade-asked.ts";
import { putRequest, requestState, type UpgradeRequest, withdrawRequest } from "./upgrade-request.ts";
import type { UpgradeDeps } from "./upgrade-run.ts";

const LAYOUT = layoutOf(TEST_PROGRAM);
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
let temp: TempHost;
let deps: UpgradeDeps;

async function installFresh(): Promise<void> {
  temp = createTempHost();
  temp.makeRelease("", "1.0.0", "works");
  const clock = passing(createFakeClock());
  deps = {
    host: temp.host,
    clock,
    spec: TEST_PROGRAM,
    print: () => {},
  };
  const install = installCommand((print) => ({ ...deps, ids: createIds(clock.now), env: {}, print }));
  await runCommand("orrery-node", [install], ["install"], deps.print, deps.print);
  temp.host.makeDirectory(LAYOUT.updateDir, 0o700);
}
beforeEach(installFresh);
afterEach(() => temp.dispose());

/** What the service does after it has fetched a release. */
function ask(version: string, behaviour: Behaviour, more: Partial<UpgradeRequest> = {}, key: KeyObject = privateKey) {
  const made = temp.makeRelease(`made-${version}`, version, behaviour);
  const folder = join(temp.root, LAYOUT.fetched);
  mkdirSync(folder, { recursive: true });
  const bytes = temp.host.readBytes(made) ?? new Uint8Array();
  writeFileSync(join(folder, TEST_PROGRAM.name), bytes);
  const facts = { program: "orrery-node", version, target: "linux-x64", name: "orrery-node-linux-x64" };
  const sums = writeReleaseList([{ ...facts, sha256: sha256Hex(bytes) }]);
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  writeFileSync(join(folder, "SHA256SUMS.sig"), sign(null, Buffer.from(sums), key));
  putRequest(temp.host, LAYOUT, { id: `cmd_${version}`, version, allow_older: false, ...more });
}
const work = (host: Host = temp.host) => carryOutRequest({ ...deps, host }, () => publicKey);
const state = (id: string) => requestState(temp.host, LAYOUT, id);

function expectRunning(version: string): void {
  expect(temp.isRunning()).toBe(true);
  expect(temp.host.target(LAYOUT.current)).toBe(`releases/${version}`);
  expect(temp.host.list(LAYOUT.releases).filter((name) => name.startsWith("."))).toEqual([]);
  for (const path of [LAYOUT.request, LAYOUT.takenRequest, LAYOUT.journal]) expect(temp.host.stat(path)).toBeNull();
}

test("a release that the service asks for takes over, and its request knows it", async () => {
  ask("2.0.0", "works");
  expect(state("cmd_2.0.0")).toBe("waiting");
  await work();
  expect(state("cmd_2.0.0")).toMatchObject({ result: "upgraded", from: "1.0.0", to: "2.0.0" });
  expect(state("cmd_other")).toBe("unknown");
  expectRunning("2.0.0");
  await work();
  expectRunning("2.0.0");
});

test("one that does not hold is rolled back, with the reason", async () => {
  ask("2.0.0", "spoils the data");
  await work();
  expect(state("cmd_2.0.0")).toMatchObject({ result: "rolled_back", reason: "the service failed (exit-code)" });
  expectRunning("1.0.0");
});

test("the same request is not carried out twice, whatever a crash left behind", async () => {
  ask("2.0.0", "hangs");
  await work();
  const outcome = state("cmd_2.0.0");
  ask("2.0.0", "works");
  await work();
  expect(state("cmd_2.0.0")).toEqual(outcome);
  expectRunning("1.0.0");
});

test("the release that runs already is no upgrade", async () => {
  ask("1.0.0", "works");
  await work();
  expect(state("cmd_1.0.0")).toMatchObject({ result: "upgraded", to: "1.0.0" });
  expectRunning("1.0.0");
});

test.each<[string, () => void, string]>([
  [
    "signed by somebody else",
    () => ask("2.0.0", "works", {}, generateKeyPairSync("ed25519").privateKey),
    "is not from the maker",
  ],
  [
    "changed after it was fetched",
    () => {
      ask("2.0.0", "works");
      writeFileSync(join(temp.root, LAYOUT.fetched, TEST_PROGRAM.name), "#!/bin/sh\nrm -rf /");
    },
    "is not the file",
  ],
  [
    "a link to somewhere else",
    () => {
      ask("2.0.0", "works");
      const path = join(temp.root, LAYOUT.fetched, TEST_PROGRAM.name);
      temp.host.remove(`${LAYOUT.fetched}/${TEST_PROGRAM.name}`);
      symlinkSync(join(temp.root, "/root/made-2.0.0/orrery-node"), path);
    },
    "ELOOP",
  ],
  [
    "a pipe that nobody writes to",
    () => {
      ask("2.0.0", "works");
      temp.host.remove(`${LAYOUT.fetched}/${TEST_PROGRAM.name}`);
      Bun.spawnSync(["mkfifo", join(temp.root, LAYOUT.fetched, TEST_PROGRAM.name)]);
    },
    "is not a plain file",
  ],
  [
    "not there",
    () => putRequest(temp.host, LAYOUT, { id: "cmd_2.0.0", version: "2.0.0", allow_older: false }),
    "no file",
  ],
  [
    "another version inside",
    () => ask("2.0.1", "works", { id: "cmd_2.0.0", version: "2.0.0" }),
    "is version 2.0.1, not 2.0.0",
  ],
  ["older", () => ask("0.9.0", "works", { id: "cmd_2.0.0" }), "0.9.0 is older than 1.0.0, which runs"],
])("a release that is %s is refused and nothing is touched", async (_case, prepare, reason) => {
  prepare();
  const ran = temp.ran.length;
  await work();
  expect(state("cmd_2.0.0")).toMatchObject({ result: "refused", reason: expect.stringContaining(reason) });
  expectRunning("1.0.0");
  expect(temp.ran.slice(ran).filter(([program]) => program === "systemctl")).toEqual([]);
  expect(temp.host.list(LAYOUT.releases)).toEqual(["1.0.0"]);
});

test("an older one is taken when that is meant", async () => {
  ask("0.9.0", "works", { allow_older: true });
  await work();
  expect(state("cmd_0.9.0")).toMatchObject({ result: "upgraded" });
});

test("what makes no sense as a request is thrown away", async () => {
  const path = join(temp.root, LAYOUT.request);
  const attempts: (() => unknown)[] = [
    () => writeFileSync(path, "{}"),
    () => writeFileSync(path, '{"id":"","version":"2.0.0"}'),
    () => writeFileSync(path, "x".repeat(100_000)),
    () => symlinkSync("/etc/passwd", path),
    () => mkdirSync(join(path, "deeper"), { recursive: true }),
    () => Bun.spawnSync(["mkfifo", path]),
  ];
  for (const attempt of attempts) {
    attempt();
    await work();
    expectRunning("1.0.0");
  }
  expect(temp.host.stat(LAYOUT.lastUpgrade)).toBeNull();
});

test("a folder that leads elsewhere is not followed", async () => {
  ask("2.0.0", "works");
  temp.host.move(LAYOUT.updateDir, "/root/elsewhere");
  symlinkSync(join(temp.root, "/root/elsewhere"), join(temp.root, LAYOUT.updateDir));
  await work();
  expect(temp.host.stat("/root/elsewhere/request.json")?.kind).toBe("file");
  expect(temp.host.target(LAYOUT.current)).toBe("releases/1.0.0");
});

test("a request can be withdrawn as long as nobody has taken it", async () => {
  ask("2.0.0", "works");
  expect(withdrawRequest(temp.host, LAYOUT)).toBe(true);
  await work();
  expectRunning("1.0.0");
  expect(state("cmd_2.0.0")).toBe("unknown");
  expect(withdrawRequest(temp.host, LAYOUT)).toBe(false);
});

test("one that is withdrawn while it is being taken is not carried out", async () => {
  ask("2.0.0", "works");
  const late: Host = {
    ...temp.host,
    move(from, to) {
      if (from === LAYOUT.request) withdrawRequest(temp.host, LAYOUT);
      temp.host.move(from, to);
    },
  };
  await work(late);
  expectRunning("1.0.0");
  expect(state("cmd_2.0.0")).toBe("unknown");
});

test("when the unit runs an older release than the installed one, it is started again with that one", async () => {
  ask("2.0.0", "works");
  await work();
  temp.host.link(LAYOUT.knownGood, "releases/1.0.0");
  ask("3.0.0", "works");
  expect(await work().then(String, String)).toContain("starting again");
  expect(state("cmd_3.0.0")).toBe("waiting");
  await work();
  expect(state("cmd_3.0.0")).toMatchObject({ result: "upgraded" });
  expectRunning("3.0.0");
});

test.each<[Behaviour, string, string]>([
  ["works", "2.0.0", "upgraded"],
  ["exits", "1.0.0", "rolled_back"],
])(
  "a power cut at any step of taking a release that %s leaves a judged request and one whole release",
  async (behaviour, version, result) => {
    let cuts = 0;
    for (let n = 0; ; n++) {
      ask("2.0.0", behaviour);
      const wasCut = await work(failAt(temp.host, n, true)).then(
        () => false,
        () => true,
      );
      temp.reboot();
      // systemd starts the unit again as long as it fails, or one of the files is there.
      for (let starts = 0; starts < 4; starts++) await work().catch(() => {});
      const outcome = state("cmd_2.0.0");
      if (typeof outcome === "string") throw new Error(`after a cut before change ${n}: ${outcome}`);
      // A cut inside one of the reads that refuse a release refuses it; nothing is touched then.
      if (outcome.result === "refused") expectRunning("1.0.0");
      else {
        expect(`${outcome.result} after ${n}`).toBe(`${result} after ${n}`);
        expectRunning(version);
      }
      if (!wasCut) break;
      cuts += 1;
      temp.dispose();
      await installFresh();
    }
    expect(cuts).toBeGreaterThan(20);
  },
  30_000,
);
