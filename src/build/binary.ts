/**
 * Compiles the programs into dist/, with `--all` also the releases for x64, baseline x64 and arm64, and writes
 * SHA256SUMS, its Ed25519 signature and an install.sh that carries the public key. Run through `npm run build`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { buildCatalogue } from "./catalogue.ts";
import { runProgram } from "./process.ts";
import { fetchRuntime } from "./runtime.ts";
import { openSigningKey, type ReleaseAsset, signSums } from "./sign.ts";
import { removeSourceMaps } from "./source-maps.ts";

const root = join(import.meta.dir, "../..");
const dist = join(root, "dist");
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A program that exists in this checkout, with the folders it carries. */
interface Program {
  name: string;
  entry: string;
  assets: string[];
  /** Programs of its threads and processes; they keep their paths inside the compiled file. */
  parts: string[];
}

interface Target {
  /** What is appended to the program's name; empty for the machine that builds. */
  suffix: string;
  /** What the program says that it was compiled for. */
  name: string;
  /** npm package with the Bun runtime of that target, null for the runtime that runs this script. */
  runtime: string | null;
}

const PASSWORDS = "src/shared/password/thread.ts";
const BACKUPS = "src/node/backups/engine/thread.ts";
const BACKUP_JUDGE = "src/node/backups/engine/judge-program.ts";
const BACKUP_SEARCH = "src/node/backups/backups/search-thread.ts";
const RESTIC = "src/node/backups/restic/thread.ts";
const SAML = "src/panel/people/sso/saml/judge-thread.ts";
const SAML_KEYS = "src/panel/people/sso/saml/key-thread.ts";
const SUMS = "src/node/storage/objects/sums-thread.ts";

const programs: Program[] = [
  {
    name: "orrery-node",
    entry: "src/node/main.ts",
    assets: ["embed/node", "embed/admin"],
    parts: [
      "src/node/storage/object-store/writer-thread.ts",
      PASSWORDS,
      BACKUPS,
      BACKUP_JUDGE,
      BACKUP_SEARCH,
      RESTIC,
      SUMS,
    ],
  },
  {
    name: "orrery-panel",
    entry: "src/panel/main.ts",
    assets: ["embed/panel"],
    parts: ["src/kernel/sql/sqlite-writer.ts", PASSWORDS, SAML, SAML_KEYS],
  },
].filter(({ entry }) => existsSync(join(root, entry)));

const here: Target = { suffix: "", name: `linux-${process.arch}`, runtime: null };

const releases: Target[] = [
  { suffix: "-linux-x64", name: "linux-x64", runtime: "@oven/bun-linux-x64" },
  { suffix: "-linux-x64-baseline", name: "linux-x64-baseline", runtime: "@oven/bun-linux-x64-baseline" },
  { suffix: "-linux-arm64", name: "linux-arm64", runtime: "@oven/bun-linux-aarch64" },
];

/** Version of package.json; a build that is not exactly the tagged commit says which one it is. */
async function readVersion(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const described = await runProgram(["git", "describe", "--always", "--dirty", "--match", `v${version}`], root);
  if (described.code !== 0 || described.text.trim() === `v${version}`) return version;
  const commit = described.text.trim().replace(/^v[^-]*-\d+-g/, "");
  return `${version}+${commit.replace("-dirty", ".dirty")}`;
}

async function buildUi(): Promise<void> {
  if (!existsSync(join(root, "ui/build.ts"))) return;
  const { code, text } = await runProgram([process.execPath, "ui/build.ts"], root);
  process.stdout.write(text);
  if (code !== 0) throw new Error("the dashboard could not be built");
}

/**
 * dockerode also speaks SSH and BuildKit; it needs neither here, and their packages would cost 17 MB of memory at rest. What we import
 * ourselves, such as SSH for backups, is loaded when it is first used; it does without the addon for processors.
 */
const leaveOutTransports: BunPlugin = {
  name: "leave out transports",
  setup(build) {
    build.onResolve(
      { filter: /^(ssh2|cpu-features|@grpc\/grpc-js|@grpc\/proto-loader|protobufjs)$/ },
      ({ path, importer }) => (importer.startsWith(join(root, "src")) ? undefined : { path, namespace: "left-out" }),
    );
    build.onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
};

/**
 * The recipe that was seen working: bytecode needs esm, and minified server code breaks the router's analysis. Split, what is
 * imported when it is first used (letters, security keys, the engine) stays out of memory until then: 2 MB of a node at rest.
 */
async function compile(program: Program, target: Target, defines: Record<string, string>): Promise<string> {
  const outfile = join(dist, `${program.name}${target.suffix}`);
  rmSync(outfile, { force: true });
  const runtime =
    target.runtime === null ? {} : { executablePath: await fetchRuntime(target.runtime, Bun.version, root) };
  const result = await Bun.build({
    entrypoints: [program.entry, ...program.parts].map((path) => join(root, path)),
    root,
    target: "bun",
    format: "esm",
    bytecode: true,
    splitting: true,
    sourcemap: "linked",
    plugins: [leaveOutTransports],
    define: { ...defines, ORRERY_TARGET: JSON.stringify(target.name) },
    compile: {
      outfile,
      assets: program.assets.filter((folder) => existsSync(join(root, folder))).map((folder) => join(root, folder)),
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...runtime,
    },
  });
  if (!result.success) throw new AggregateError(result.logs, `${program.name} could not be built`);
  say(`${outfile.slice(root.length + 1)}  ${(statSync(outfile).size / 1e6).toFixed(1)} MB`);
  return outfile;
}

async function main(): Promise<void> {
  mkdirSync(dist, { recursive: true });
  removeSourceMaps(dist);
  await buildUi();
  const key = openSigningKey(process.env["ORRERY_SIGNING_KEY"], join(root, ".data"), say);
  const count = await buildCatalogue(join(root, "embed/node"), key.privateKey);
  say(`${count} apps checked, catalogue signed`);
  const version = await readVersion();
  const defines = {
    ORRERY_VERSION: JSON.stringify(version),
    ORRERY_RELEASE_KEY: JSON.stringify(key.publicKey),
  };
  say(`Building version ${version}`);
  const targets = process.argv.includes("--all") ? [here, ...releases] : [here];
  const files: ReleaseAsset[] = [];
  for (const program of programs) {
    for (const target of targets) {
      const path = await compile(program, target, defines);
      files.push({ path, program: program.name, version, target: target.name });
    }
  }
  await signSums(dist, files, key);
  const installer = readFileSync(join(root, "install.sh"), "utf8");
  const filled = installer
    .replace("release_key=''", `release_key='${key.publicKey}'`)
    .replace("release_version=''", `release_version='${version}'`);
  writeFileSync(join(dist, "install.sh"), filled, { mode: 0o755 });
  say("dist/SHA256SUMS, dist/SHA256SUMS.sig and dist/install.sh written");
}

await main();
