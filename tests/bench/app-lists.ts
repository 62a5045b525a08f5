import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../kit/env.ts";
import type { Measure } from "./bench.ts";
import { dockerAttached, type Running, startBare, startNode } from "./programs.ts";
import { seedFolder } from "./seed.ts";
import { type Figure, percentile } from "./table.ts";

const APPS = 100;
const TEMPLATES = 500;
const REQUESTS = 400;
/** Answers by which both compilers of the runtime have seen enough. */
const WARM_UP = 50;
const TEMPLATE = { name: "memos", folder: join(ROOT, "embed/node/templates/memos") };

/** Templates of the admin's own, as many as are missing until the catalogue has `TEMPLATES`. */
function writeOwnTemplates(folder: string): void {
  const builtIn = readdirSync(join(ROOT, "embed/node/templates")).filter((name) => !name.includes(".")).length;
  const [version = ""] = readdirSync(TEMPLATE.folder);
  for (let index = builtIn; index < TEMPLATES; index++) {
    const name = `own-${index}`;
    const target = join(folder, name, version);
    mkdirSync(target, { recursive: true });
    cpSync(join(TEMPLATE.folder, version, "compose.yaml"), join(target, "compose.yaml"));
    const manifest = readFileSync(join(TEMPLATE.folder, version, "app.yaml"), "utf8");
    writeFileSync(join(target, "app.yaml"), manifest.replace(`\nname: ${TEMPLATE.name}\n`, `\nname: ${name}\n`));
  }
}

async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const begun = performance.now();
  await (await fetch(url, { headers })).text();
  return performance.now() - begun;
}

/** The slowest of twenty answers of a list, one request after the other, in turns with a bare server that answers the same body. */
async function compare(
  node: Running,
  path: string,
  headers: Record<string, string>,
  file: string,
  { entries, measure }: { entries: number; measure: string },
): Promise<Figure> {
  const list = await (await fetch(`${node.url}${path}`, { headers })).text();
  if (JSON.parse(list).length !== entries) throw new Error(`${path} has not ${entries} entries`);
  writeFileSync(file, list);
  const baseline = await startBare(file);
  const [mine, bare]: [number[], number[]] = [[], []];
  for (let request = 0; request < REQUESTS + WARM_UP; request++) {
    const bareMs = await timeOf(baseline.url, headers);
    const nodeMs = await timeOf(`${node.url}${path}`, headers);
    if (request < WARM_UP) continue;
    bare.push(bareMs);
    mine.push(nodeMs);
  }
  await baseline.stop();
  return {
    measure,
    value: percentile(mine, 95),
    unit: "ms p95",
    limit: { kind: "most", value: 20 },
    baseline: percentile(bare, 95),
    note: `${REQUESTS} requests one after the other, ${list.length} bytes`,
  };
}

/** The lists of a large server: a hundred apps, and a catalogue of five hundred. */
export const appLists: Measure = {
  name: "app-lists",
  async run({ say }) {
    const folder = await seedFolder(APPS);
    const templates = join(folder.path, "own-templates");
    writeOwnTemplates(templates);
    const headers = { authorization: `Bearer ${(await folder.signIn()).access}` };
    const node = await startNode(folder.path, {
      probe: "/api/apps",
      headers,
      env: { ORRERY_TEMPLATES_DIR: templates },
    });
    await dockerAttached(node);
    const file = join(folder.path, "list.json");
    const figures: Figure[] = [];
    for (const [path, entries, measure] of [
      ["/api/apps", APPS, `the list of ${APPS} apps`],
      ["/api/templates", TEMPLATES, `a catalogue of ${TEMPLATES} apps`],
    ] as const) {
      say(`  ${measure}`);
      figures.push(await compare(node, path, headers, file, { entries, measure }));
    }
    await node.stop();
    folder.remove();
    return figures;
  },
};
