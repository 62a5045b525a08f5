import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppsNode, startAppsNode } from "../../kit/apps.ts";
import type { StreamEvent } from "../../kit/client.ts";
import { makeDatabaseImage } from "../../kit/database-image.ts";
import { type OwnEngine, startOwnEngine } from "../../kit/own-engine.ts";
import { releaseApp } from "../../kit/release-app.ts";
import { writeTestTemplates } from "../../kit/templates.ts";
import type { Measure } from "../bench.ts";
import { type Fault, faults } from "./faults.ts";
import { askOf, SUBJECTS, type Subject, victimImage } from "./subjects.ts";

const STEPS = ["pull", "stop", "copy", "switch", "run", "health", "commit"];
const DATABASE_STEPS = ["pull", "dump", ...STEPS.slice(1)];
/** So much is left when the disk is to be full: enough to begin, too little for the image. */
const LEFT_BYTES = 24_000_000;
const ENGINE_MB = 3_000;

/** How an update ended. */
interface Ending {
  /** In words, for those who watch. */
  how: string;
  isRefused: boolean;
  /** Milliseconds. */
  away: number;
}

/**
 * Eight kinds of apps, six faults each, on an engine of their own: every update ends on the new or the old version with the data
 * that was there, and nobody has to do anything.
 */
export const updates: Measure = {
  name: "updates",
  async run({ say }) {
    const folder = mkdtempSync(join(tmpdir(), "orrery-updates-"));
    const engine = await startOwnEngine(ENGINE_MB);
    const sum = { cases: 0, bad: 0, away: 0 };
    try {
      for (const subject of SUBJECTS) {
        for await (const { fault, version, isOk, ending } of prove(subject, folder, engine)) {
          say(
            `  ${subject.name}, ${fault}: on ${version}, ${ending.how}, ${ending.away} ms away${isOk ? "" : ", WRONG"}`,
          );
          sum.cases += 1;
          sum.bad += isOk ? 0 : 1;
          sum.away = Math.max(sum.away, ending.away);
        }
      }
    } finally {
      await engine.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
    return [
      {
        measure: "updates that went wrong",
        value: sum.bad,
        unit: "cases",
        limit: { kind: "most", value: 0 },
        baseline: null,
        note: `${sum.cases} cases; the longest time away was ${sum.away} ms`,
      },
    ];
  },
};

/** Writes the first version of a subject; returns the image of its victim. */
export async function publish(subject: Subject, templates: string, template: string): Promise<string> {
  const face = {
    display_name: "Proof",
    category: "tools",
    icon: "box",
    tagline: "An app that is updated",
    version: "1.0.0",
  };
  writeTestTemplates(templates, [{ name: template, image: "web", withDatabase: subject.withDatabase, face }]);
  if (!subject.database) return victimImage(subject, "");
  const image = await makeDatabaseImage(subject.database);
  const path = join(templates, template, "1.0.0");
  const compose = readFileSync(join(path, "compose.yaml"), "utf8");
  const [web = "", database = ""] = compose.split("  database:\n    image:");
  const own = database
    .replace(/^ \S+\n/, ` ${image}\n`)
    .replace(/test: \[CMD, wget.*\]/, `test: ${JSON.stringify(["CMD-SHELL", subject.databaseHealth])}`)
    .replace("start_period: 10s", "start_period: 20s");
  writeFileSync(join(path, "compose.yaml"), `${web}  database:\n    image:${own}`);
  const manifest = join(path, "app.yaml");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace(/database: \{memory_mb: 64/, "database: {memory_mb: 192"),
  );
  return image;
}

async function* prove(subject: Subject, folder: string, engine: OwnEngine) {
  const templates = join(folder, subject.name);
  const template = `test-${subject.name}`;
  const victim = await publish(subject, templates, template);
  const apps = await startAppsNode({ ORRERY_TEMPLATES_DIR: templates, ORRERY_DOCKER_SOCKET: engine.socket });
  try {
    const name = apps.freshName(subject.name);
    const { id, end } = await apps.installed(template, name);
    if (end.event !== "done") throw new Error(`${subject.name} was not installed: ${JSON.stringify(end.data)}`);
    const ask = askOf(engine, name);
    await subject.fill(ask);
    for (const [index, fault] of faults().entries()) {
      const version = `1.${index + 1}.0`;
      releaseApp(templates, template, version, (text) => fault.change(text, victim), fault.startS);
      const mark = await subject.remember(ask);
      const stuffing = join(engine.root, "stuffing");
      if (fault.fillsDisk) {
        const { bavail, bsize } = statfsSync(engine.root);
        writeFileSync(stuffing, new Uint8Array(bavail * bsize - LEFT_BYTES));
      }
      const ending = await update(apps, id, fault, subject.name === "postgres" ? DATABASE_STEPS : STEPS);
      rmSync(stuffing, { force: true });
      const app = await apps.reaches(id, "running", 60_000);
      const isSame = (await subject.recall(ask, mark)) === mark;
      const isOld = app.version === "1.0.0";
      // A plan that sees the full disk begins nothing.
      const isTried = !ending.isRefused || fault.fillsDisk === true;
      const isOk = isSame && isTried && (isOld || (fault.isKilled === true && app.version === version));
      yield { fault: fault.name, version: String(app.version), isOk, ending };
      rmSync(join(templates, template, version), { recursive: true });
    }
    const removal = await apps.owner.ok(`DELETE /api/apps/${id}?delete_data=true`);
    await apps.follow(removal.op_id);
  } finally {
    await apps.node.dispose();
  }
}

/** Asks for the update and sees it through. */
async function update(apps: AppsNode, id: string, fault: Fault, steps: readonly string[]): Promise<Ending> {
  const answer = await apps.owner.call(`POST /api/apps/${id}/update`, {});
  if (answer.status >= 300) return { how: `refused: ${answer.body.code}`, isRefused: true, away: 0 };
  const { op_id } = answer.body;
  for (const step of fault.isKilled ? steps : []) {
    const isThere = ({ event, data }: StreamEvent) => data.step === step || event === "done" || event === "error";
    await apps.owner.stream(`/api/operations/${op_id}/events?from=0`, isThere);
    await apps.crash();
  }
  const end = (await apps.follow(op_id)).at(-1);
  const { last } = await apps.owner.ok(`GET /api/apps/${id}/updates`);
  const how = end?.event === "done" ? "updated" : (end?.data.error?.code ?? "error");
  return { how, isRefused: false, away: last?.down_ms ?? 0 };
}
