// What the npm scripts share. Plain Node.js without packages: it runs before anything is installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Writes one line for a person. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Ends with a sentence and exit code 1. */
export function stop(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** True when node_modules holds exactly the versions of the lock file; packages for other platforms may be absent. */
function dependenciesMatch() {
  const installedFile = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedFile) || !existsSync(bunPath())) return false;
  const read = (file) => JSON.parse(readFileSync(file, "utf8")).packages;
  const installed = read(installedFile);
  return Object.entries(read(join(root, "package-lock.json"))).every(([path, wanted]) => {
    if (path === "") return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/** Runs `npm ci` when node_modules is missing or does not fit the lock file. */
export function ensureDependencies() {
  if (Number(process.versions.node.split(".")[0]) < 20)
    stop(`Node.js 20 or newer is needed, this is ${process.version}`);
  if (dependenciesMatch()) return;
  say("Installing the packages of the lock file (npm ci)");
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root, stdio: "inherit" });
  if (done.status !== 0) stop("npm ci failed; the lines above say why");
}

/** The pinned Bun of node_modules. */
export function bunPath() {
  return join(root, "node_modules", ".bin", "bun");
}

/** Runs a program to its end and returns its exit code; a program that cannot start counts as 127. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", ...options });
    child.on("error", () => resolve(127));
    child.on("exit", (code, signal) => resolve(signal ? 128 : (code ?? 1)));
  });
}

/** As `run`, with each line of output for `onLine`. */
export function runLines(command, args, onLine) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", onLine);
    }
    child.on("error", () => resolve(127));
    child.on("exit", (code, signal) => {
      const end = () => {
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
        resolve(signal ? 128 : (code ?? 1));
      };
      // What it left running may hold its output open for ever.
      const timer = setTimeout(end, 2_000);
      child.on("close", () => {
        clearTimeout(timer);
        end();
      });
    });
  });
}

/** Newest modification time below the given files and folders, in milliseconds; 0 when none is there. */
export function newestChange(paths, isIgnored = () => false) {
  let newest = 0;
  for (const path of paths) {
    const full = join(root, path);
    if (!existsSync(full) || isIgnored(path)) continue;
    const info = statSync(full);
    if (info.isDirectory()) {
      newest = Math.max(
        newest,
        newestChange(
          readdirSync(full).map((name) => join(path, name)),
          isIgnored,
        ),
      );
      continue;
    }
    newest = Math.max(newest, info.mtimeMs);
  }
  return newest;
}

/** True when a program of dist/ is missing or older than what it is made of. */
export function isStale(program) {
  const built = newestChange([join("dist", program)]);
  if (built === 0) return true;
  const generated = (path) => /^embed\/[^/]+\/ui(\/|$)/.test(path) || path.endsWith(".test.ts");
  return newestChange(["src", "ui", "embed", "systemd", "package.json", "package-lock.json"], generated) > built;
}

/** Builds the programs for this machine when they are stale, and gives `onLine` what that says; returns the exit code. */
export async function ensureBuilt(program, onLine = say) {
  if (!isStale(program)) return 0;
  return runLines(bunPath(), ["src/build/binary.ts"], onLine);
}
