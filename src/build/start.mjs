// `npm start`: packages, build, then a node on this machine with its data in ./.data.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bunPath, ensureBuilt, ensureDependencies, root, say, stop } from "./toolchain.mjs";

ensureDependencies();
if ((await ensureBuilt("orrery-node")) !== 0) stop(`The build failed (${bunPath()}); the lines above say why`);

const extra = process.argv.slice(2);
const node = spawn(join(root, "dist", "orrery-node"), ["serve", "--data", join(root, ".data"), ...extra], {
  cwd: root,
  stdio: ["inherit", "pipe", "inherit"],
});
createInterface({ input: node.stdout }).on("line", (line) => {
  say(line);
  const url = readUrl(line);
  if (url) say(`\n  Orrery is ready: ${url}\n  Data in ./.data, Ctrl+C stops it.\n`);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => node.kill(signal));
node.on("exit", (code) => {
  process.exitCode = code ?? 1;
});

function readUrl(line) {
  if (!line.includes('"listening"')) return undefined;
  try {
    const entry = JSON.parse(line);
    return entry.msg === "listening" ? entry.url : undefined;
  } catch {
    return undefined;
  }
}
