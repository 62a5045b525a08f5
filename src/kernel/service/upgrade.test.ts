import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock, passing } from "../../../tests/kit/fake-clock.ts";
import { failAt, PowerCut } from "../../../tests/kit/power-cut.ts";
import { startReleaseServer } from "../../../tests/kit/release-server.ts";
import { type Behaviour, createTempHost, TEST_PROGRAM, type TempHost } from "../../../tests/kit/temp-host.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { createIds } from "../../lib/ids.ts";
import { EXIT, runCommand } from "./cli.ts";
import type { Host } from "./host.ts";
import { installCommand } from "./install.ts";
import { layoutOf } from "./program.ts";
import { writeReleaseList } from "./release-list.ts";
import { upgradeCommand } from "./upgrade.ts";
import { readOutcome, type UpgradeOutcome } from "./upgrade-journal.ts";
import { runUpgrade, type UpgradeDeps } from "./upgrade-run.ts";
import { stageUpgrade } from "./upgrade-stage.ts";

const LAYOUT = layoutOf(TEST_PROGRAM);
const { publicKey, privateKey } = generateKeyPairSync("ed25519");

let temp: TempHost;
let deps: UpgradeDeps;

async function installFresh(): Promise<void> {
  temp = createTempHost();
  temp.makeRelease("", "1.0.0", "works");
  deps = { host: temp.host, clock: passing(createFakeClock()), spec: TEST_PROGRAM, print: () => {} };
  const install = installCommand((print) => ({ ...deps, ids: createIds(deps.clock.now), env: {}, print }));
  await runCommand("orrery-node", [install], ["install"], deps.print, deps.print);
}

beforeEach(installFresh);
afterEach(() => temp.dispose());

/** Puts SHA256SUMS and its signature beside a release. */
function signRelease(path: string, version: string, key: KeyObject = privateKey, program = "orrery-node"): void {
  const folder = join(temp.root, path.slice(0, path.lastIndexOf("/")));
  const sha256 = sha256Hex(temp.host.readBytes(path) ?? "");
  const target = "linux-x64";
  const sums = writeReleaseList([{ program, version, target, sha256, name: `${program}-${target}` }]);
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  writeFileSync(join(folder, "SHA256SUMS.sig"), sign(null, Buffer.from(sums), key));
}

function makeSigned(version: string, behaviour: Behaviour, migrations?: string[]): string {
  const path = temp.makeRelease(version, version, behaviour, migrations);
  signRelease(path, version);
  return path;
}

async function upgrade(version: string, behaviour: Behaviour): Promise<UpgradeOutcome | null> {
  await stageUpgrade(deps, makeSigned(version, behaviour), publicKey);
  return runUpgrade(deps);
}

/** What must hold when an upgrade has come to its end, however it went. */
function expectSettled(version: string): void {
  expect(temp.host.stat(LAYOUT.journal)).toBeNull();
  expect(temp.host.stat(LAYOUT.hold)).toBeNull();
  expect(temp.isRunning()).toBe(true);
  expect(temp.host.target(LAYOUT.current)).toBe(`releases/${version}`);
  expect(temp.host.read(`${LAYOUT.unitDir}/${LAYOUT.serviceUnit}`)).toContain(version === "1.0.0" ? "old" : version);
  expect(temp.host.stat(`${LAYOUT.unitDir}/orrery-extra.service`) === null).toBe(version === "1.0.0");
}

test("without a file it is wrong usage, whatever the host is like", async () => {
  const lines: string[] = [];
  const command = upgradeCommand(() => ({ ...deps, host: { ...temp.host, isRoot: () => false }, env: {} }));
  const print = (line: string) => void lines.push(line);
  expect(await runCommand("orrery-node", [command], ["upgrade"], print, print)).toBe(EXIT.usage);
  expect(lines.join()).toContain("--file FILE");
  expect(await runCommand("orrery-node", [command], ["upgrade", "--resume"], print, print)).toBe(EXIT.failed);
});

test("by hand a version is fetched from where the settings say, proved, and nothing of it stays in between", async () => {
  const server = await startReleaseServer();
  const pem = join(temp.root, "key.pem");
  writeFileSync(pem, server.key.export({ type: "spki", format: "pem" }));
  const fetched = temp.host.readBytes(temp.makeRelease("made", "2.0.0", "works")) ?? "";
  server.add("2.0.0", fetched);
  server.add("2.0.1", fetched);
  server.add("2.0.2", fetched, "2.0.0");
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const settings = { ORRERY_RELEASE_ALLOW_CIDRS: "127.0.0.0/8" };
  const run = async (...words: string[]) => {
    // The unit that systemd would start.
    const host: Host = {
      ...temp.host,
      run: async (argv, ms) => {
        const result = await temp.host.run(argv, ms);
        if (argv[1] === "start" && argv.includes(LAYOUT.upgradeUnit)) await runUpgrade(deps);
        return result;
      },
    };
    const command = upgradeCommand(() => ({ ...deps, host, env: settings, print }));
    return runCommand("orrery-node", [command], ["upgrade", "--public-key", pem, ...words], print, print);
  };
  expect(await run("--version", "2.0.0")).toBe(EXIT.failed);
  expect(lines.join()).toContain(`ORRERY_RELEASE_BASE=https://… in ${LAYOUT.config}`);
  temp.host.write(LAYOUT.config, `ORRERY_RELEASE_BASE=${server.base}\n`, 0o640);
  expect(await run("--version", "2.0.1")).toBe(EXIT.failed);
  expect(lines.join()).toContain("the file calls itself 2.0.0, its maker 2.0.1; nothing was changed");
  expect(await run("--version", "2.0.2")).toBe(EXIT.failed);
  expect(lines.join()).toContain("/2.0.2 holds release 2.0.0, not 2.0.2; nothing was changed");
  expect(await run("--version", "2.0.0", "--file", "/root/made/orrery-node")).toBe(EXIT.usage);
  expect(temp.host.list(LAYOUT.releases)).toEqual(["1.0.0"]);
  expect(await run("--version", "2.0.0")).toBe(EXIT.ok);
  expectSettled("2.0.0");
  expect(temp.host.list(LAYOUT.releases)).toEqual(["1.0.0", "2.0.0"]);
  server.close();
});

test("an install from before the role on demand gets it by its upgrade, and loses it again on the way back", async () => {
  const single = { ...TEST_PROGRAM, units: { ...TEST_PROGRAM.units, onDemand: null } };
  const units = () => temp.host.list(LAYOUT.unitDir).filter((name) => name.startsWith("orrery-host."));
  for (const name of units()) temp.host.remove(`${LAYOUT.unitDir}/${name}`);
  const old = deps;
  deps = { ...old, spec: single };
  expect(await upgrade("2.0.0", "exits")).toMatchObject({ result: "rolled_back" });
  expect(units()).toEqual([]);
  expect(await upgrade("2.0.1", "works")).toMatchObject({ result: "upgraded" });
  expect(units()).toEqual(["orrery-host.service", "orrery-host.socket"]);
});

test("a good release takes over, one way back is kept", async () => {
  expect(await upgrade("2.0.0", "works")).toMatchObject({ result: "upgraded", from: "1.0.0", to: "2.0.0" });
  expectSettled("2.0.0");
  expect(temp.host.target(LAYOUT.knownGood)).toBe("releases/2.0.0");
  expect(temp.notes()).toEqual(["1.0.0", "2.0.0"]);
  expect(await upgrade("3.0.0", "works")).toMatchObject({ result: "upgraded", from: "2.0.0" });
  expect(temp.host.list(LAYOUT.releases)).toEqual(["2.0.0", "3.0.0"]);
  expect(temp.host.list(LAYOUT.snapshots)).toHaveLength(1);
});

test.each<[Behaviour, string]>([
  ["exits", "the service failed"],
  ["hangs", "did not answer within 60 s"],
  ["crashes later", "answered and then crashed"],
  ["spoils the data", "the service failed"],
])("a release that %s is undone with its data, and leaves nothing behind", async (behaviour, reason) => {
  const outcome = await upgrade("2.0.0", behaviour);
  expect(outcome).toMatchObject({ result: "rolled_back", answers: true });
  expect(outcome?.reason).toContain(reason);
  expectSettled("1.0.0");
  expect(temp.notes()).toEqual(["1.0.0", "1.0.0"]);
  expect(temp.host.list(LAYOUT.releases)).toEqual(["1.0.0"]);
  expect(temp.host.list(LAYOUT.snapshots)).toEqual([]);
});

describe("an upgrade is refused, and nothing changes,", () => {
  const cases: [string, (path: string) => void, string][] = [
    ["without a signature", (path) => temp.host.remove(path.replace(/[^/]+$/, "SHA256SUMS.sig")), "must lie beside"],
    [
      "signed by somebody else",
      (path) => signRelease(path, "2.0.0", generateKeyPairSync("ed25519").privateKey),
      "is not from the maker",
    ],
    [
      "when the list changed after signing",
      (path) => temp.host.write(path.replace(/[^/]+$/, "SHA256SUMS"), "\n", 0o644),
      "is not from the maker",
    ],
    [
      "when the program changed after signing",
      (path) => temp.host.write(path, `${temp.host.read(path)} `, 0o755),
      "is not the file",
    ],
    [
      "when the list names another program",
      (path) => signRelease(path, "2.0.0", privateKey, "orrery-panel"),
      "is not the file",
    ],
    [
      "when the list has its digest and no word about its version",
      (path) => {
        const sums = `${sha256Hex(temp.host.readBytes(path) ?? "")}  orrery-node-linux-x64\n`;
        temp.host.write(path.replace(/[^/]+$/, "SHA256SUMS"), sums, 0o644);
        writeFileSync(
          join(temp.root, path.replace(/[^/]+$/, "SHA256SUMS.sig")),
          sign(null, Buffer.from(sums), privateKey),
        );
      },
      "is not the file",
    ],
    [
      "when its maker calls it another version",
      (path) => signRelease(path, "2.0.1"),
      "the file calls itself 2.0.0, its maker 2.0.1",
    ],
  ];
  test.each(cases)("%s", async (_case, spoil, reason) => {
    const path = makeSigned("2.0.0", "works");
    spoil(path);
    const before = temp.tree();
    await expect(stageUpgrade(deps, path, publicKey)).rejects.toThrow(reason);
    await Bun.sleep(0);
    expect([...temp.tree()]).toEqual([...before]);
  });

  test("when it does not understand the data", async () => {
    const path = makeSigned("0.9.0", "works", []);
    await expect(stageUpgrade(deps, path, publicKey, { allowOlder: true })).rejects.toThrow("it lacks notes/1");
  });

  test("when it is older than what is installed and nobody said that this is meant", async () => {
    const path = makeSigned("0.9.0", "works");
    const before = temp.tree();
    await expect(stageUpgrade(deps, path, publicKey)).rejects.toThrow("0.9.0 is older than 1.0.0, which runs");
    await expect(stageUpgrade(deps, path, null)).rejects.toThrow("--allow-older");
    expect([...temp.tree()]).toEqual([...before]);
    await stageUpgrade(deps, path, publicKey, { allowOlder: true });
    expect(await runUpgrade(deps)).toMatchObject({ result: "upgraded", to: "0.9.0" });
  });

  test("while another one is under way", async () => {
    await stageUpgrade(deps, makeSigned("2.0.0", "works"), publicKey);
    await expect(stageUpgrade(deps, makeSigned("3.0.0", "works"), publicKey)).rejects.toThrow("under way");
  });

  test("when the disk is too full for the copies", async () => {
    const host: Host = { ...temp.host, freeBytes: () => 50_000_000 };
    await expect(stageUpgrade({ ...deps, host }, makeSigned("2.0.0", "works"), publicKey)).rejects.toThrow(
      "disk space",
    );
  });
});

test("the release that runs already is not installed twice; other bytes under its version get a name of their own", async () => {
  expect(await stageUpgrade(deps, temp.makeRelease("", "1.0.0", "works"), null)).toBeNull();
  const entry = await stageUpgrade(deps, temp.makeRelease("again", "1.0.0", "hangs"), null);
  expect(entry?.to.release).toMatch(/^1\.0\.0-[0-9a-f]{8}$/);
});

test("a phase that is interrupted again and again is given up", async () => {
  await stageUpgrade(deps, makeSigned("2.0.0", "works"), publicKey);
  const stuck: Host = { ...temp.host, get: () => Promise.reject(new PowerCut()), run: temp.host.run };
  stuck.write = (path, content, mode) => {
    if (content.includes('"rolling_back"')) throw new PowerCut();
    temp.host.write(path, content, mode);
  };
  for (let boot = 0; boot < 3; boot++) await runUpgrade({ ...deps, host: stuck }).catch(() => {});
  expect(await runUpgrade(deps)).toMatchObject({ result: "rolled_back", reason: "interrupted 3 times" });
  expectSettled("1.0.0");
});

/** Upgrades with a power cut before the n-th change, boots again and lets the upgrade unit do its work. True when the power was cut. */
async function upgradeWithPowerCut(behaviour: Behaviour, n: number): Promise<boolean> {
  await stageUpgrade(deps, makeSigned("2.0.0", behaviour), publicKey);
  let wasCut = false;
  await runUpgrade({ ...deps, host: failAt(temp.host, n, true) }).catch((error) => {
    if (!(error instanceof PowerCut)) throw error;
    wasCut = true;
  });
  temp.reboot();
  await runUpgrade(deps);
  return wasCut;
}

describe("a power cut at any step of an upgrade", () => {
  test.each<[Behaviour, string]>([
    ["works", "2.0.0"],
    ["exits", "1.0.0"],
    ["spoils the data", "1.0.0"],
    ["crashes later", "1.0.0"],
  ])(
    "to a release that %s still ends well",
    async (behaviour, expected) => {
      let cuts = 0;
      for (let n = 0; await upgradeWithPowerCut(behaviour, n); n++) {
        cuts++;
        try {
          expectSettled(expected);
          expect(temp.notes()[0]).toBe("1.0.0");
          expect(temp.notes().includes("2.0.0")).toBe(expected === "2.0.0");
          expect(readOutcome(temp.host, LAYOUT)?.to).toBe("2.0.0");
        } catch (error) {
          throw new Error(`after a power cut before change ${n}`, { cause: error });
        }
        temp.dispose();
        await installFresh();
      }
      expect(cuts).toBeGreaterThan(15);
    },
    60_000,
  );
});

test("an error at any step ends in one of the two releases, whole", async () => {
  let errors = 0;
  for (let n = 0; ; n++) {
    await stageUpgrade(deps, makeSigned("2.0.0", "works"), publicKey);
    const host = failAt(temp.host, n, false);
    let outcome = await runUpgrade({ ...deps, host }).catch(() => null);
    // The unit starts it again when it ends with an error.
    outcome ??= (await runUpgrade(deps)) ?? readOutcome(temp.host, LAYOUT);
    expectSettled(outcome?.result === "upgraded" ? "2.0.0" : "1.0.0");
    expect(temp.notes()[0]).toBe("1.0.0");
    const isClean = outcome?.result === "upgraded" && temp.host.target(LAYOUT.knownGood) === "releases/2.0.0";
    if (isClean && n > 60) break;
    if (!isClean) errors++;
    temp.dispose();
    await installFresh();
  }
  expect(errors).toBeGreaterThan(10);
}, 60_000);
