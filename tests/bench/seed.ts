import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase } from "../../src/kernel/db/open.ts";
import { createStore, type Store } from "../../src/kernel/db/store.ts";
import { createLog } from "../../src/kernel/log.ts";
import { createSeal, type Seal } from "../../src/kernel/seal.ts";
import { systemClock, toIso } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { ensureSecrets } from "../../src/node/apps/apps/blueprint/secrets.ts";
import { placePorts } from "../../src/node/apps/apps/plan/ports.ts";
import { insertApp, replacePorts } from "../../src/node/apps/apps/store.ts";
import type { LoadedTemplate } from "../../src/node/apps/templates/catalogue.ts";
import { openCatalogue } from "../../src/node/apps/templates/catalogue.ts";
import { openData } from "../../src/node/open-data.ts";
import { wireAccounts } from "../../src/node/people/wire.ts";
import { FOR_PROGRAM } from "../../src/shared/password/index.ts";
import { OWNER } from "../kit/client.ts";
import { ROOT } from "../kit/env.ts";

/** A data folder as an owner leaves it who has installed that many apps. */
export interface SeededFolder {
  path: string;
  apps: number;
  /** Tokens of the owner's session, good for 15 minutes. */
  signIn(): Promise<{ access: string; refresh: string }>;
  remove(): void;
}

const clock = systemClock;
const ids = createIds(clock.now);
const log = createLog(clock, "error", (line) => process.stderr.write(`${line}\n`));

/** The first templates of the catalogue in this checkout. */
async function loadTemplates(count: number): Promise<LoadedTemplate[]> {
  const catalogue = openCatalogue({
    root: join(ROOT, "embed/node/templates"),
    indexRoot: "",
    trustedKey: "",
    ownRoot: "",
    log,
  });
  const names = (await catalogue.list()).slice(0, count).map(({ name }) => name);
  if (names.length < count) throw new Error(`the catalogue has only ${names.length} of the ${count} apps asked for`);
  return Promise.all(names.map((name) => catalogue.load(name)));
}

function addApp(db: Store, seal: Seal, { manifest, composeText }: LoadedTemplate, firstPort: number): void {
  const now = toIso(clock.now());
  const id = ids.next("app");
  const config = { inputs: Object.fromEntries(manifest.inputs.map(({ key }) => [key, answerFor(manifest, key)])) };
  insertApp(db, {
    id,
    name: manifest.name,
    template: manifest.name,
    version: manifest.version,
    status: "running",
    cause: null,
    next_step: null,
    created_at: now,
    installed_at: now,
    started_at: now,
    work: null,
    op_id: null,
    delete_data: 0,
    config: JSON.stringify(config),
    manifest: JSON.stringify(manifest),
    compose: composeText,
    generation: 0,
  });
  const wanted = manifest.ports.map(({ service, container, protocol = "tcp", purpose }) => ({
    service,
    container,
    protocol,
    purpose,
    bind: "127.0.0.1",
    wanted: firstPort,
    isFixed: false,
    isOnHost: false,
  }));
  replacePorts(db, id, placePorts(wanted, [], "127.0.0.1"));
  ensureSecrets({ db, seal }, id, manifest.secrets);
}

/** The default, nothing where nothing is asked for, or something that passes for an answer. */
function answerFor(manifest: LoadedTemplate["manifest"], key: string): string {
  const input = manifest.inputs.find((candidate) => candidate.key === key);
  if (input?.default !== undefined && input.default !== "") return String(input.default);
  if (input?.required === false) return "";
  return input?.type === "email" ? "owner@example.org" : input?.type === "url" ? "https://example.org" : "answer";
}

/** Makes a data folder with the owner of the test kit and `count` apps of the catalogue. */
export async function seedFolder(count: number): Promise<SeededFolder> {
  const path = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  const { mainDb, metricsDb, sealKey } = openData(path, clock);
  const db = createStore(mainDb);
  const seal = createSeal(sealKey);
  const { users, sessions } = wireAccounts({ db, clock, ids, seal, log });
  const owner = await users.create({ ...OWNER, role: "admin", whose: FOR_PROGRAM });
  const session = sessions.begin(owner.id, { ip: "127.0.0.1", device: "bench" });
  const templates = await loadTemplates(count);
  db.tx(() => {
    for (const [index, template] of templates.entries()) addApp(db, seal, template, 20_000 + index * 20);
  });
  closeDatabase(metricsDb);
  closeDatabase(mainDb);
  return {
    path,
    apps: count,
    signIn: async () => ({
      access: await sessions.tokens.sign(owner.id, session.session_id),
      refresh: session.refresh_token,
    }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
