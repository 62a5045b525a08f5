import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { runProgram } from "../../../kernel/host/run-program.ts";
import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { seconds } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { createLegacy, type Legacy, LegacyRefusal } from "./legacy-client.ts";
import { type LegacyEnv, readLegacyEnv } from "./legacy-env.ts";
import type { Needs } from "./needs.ts";
import type { Places } from "./places.ts";
import * as store from "./store.ts";

/** The previous store while it is read. */
export interface OpenLegacy {
  legacy: Legacy;
  env: LegacyEnv;
  /** Ends it, where it was started here. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 200;
/** A large store looks through its disks before it answers. */
const START_MS = seconds(120);
const GRACE_MS = seconds(20);
const LAST_LINES = 3;

const unavailable = (error: string, missing?: "binary" | "env") =>
  fail("objstore_legacy_unavailable", { error, ...(missing === undefined ? {} : { missing }) });

/** What a question that only shows whether it is the store says: whether anything listens there at all. */
async function answers(legacy: Legacy): Promise<boolean> {
  try {
    await legacy.listBuckets();
    return true;
  } catch (error) {
    if (error instanceof OutgoingError) return false;
    if (error instanceof LegacyRefusal && error.status === 403)
      throw unavailable(`it listens, and refuses the name and password in its environment. ${error.message}`);
    if (error instanceof LegacyRefusal) return false;
    throw error;
  }
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === "string") throw unavailable("no port is free for it.");
  return address.port;
}

/** Starts the program of the previous store on loopback and waits until it answers. */
async function start({ clock, signal, db, config }: Needs, places: Places, env: LegacyEnv): Promise<OpenLegacy> {
  const port = await findPort();
  // What it keeps for itself, such as certificates, is no business of its data.
  const home = join(config.data_dir, "minio");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const legacy = createLegacy({ ...env, host: "127.0.0.1", port }, { clock, signal });
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end, { once: true });
  const lines: string[] = [];
  const program = [places.binary, "server", places.data, "--address", `127.0.0.1:${port}`];
  // Where it is found again by a node that was killed and left it running.
  db.tx(() => store.updateMigration(db, { legacy_port: port }));
  const state = { isOver: false };
  const ended = runProgram(program, {
    env: { ...env.all, MINIO_BROWSER: "off", HOME: home },
    signal: stop.signal,
    graceMs: GRACE_MS,
    maxBytes: 4_096,
    // Some releases greet with their password, and what they say is shown to all who may look.
    onLine: (line) => void lines.splice(0, lines.push(line.replaceAll(env.secret_key, "…")) > LAST_LINES ? 1 : 0),
  })
    .catch((error: unknown) => void lines.push(error instanceof Error ? error.message : String(error)))
    .finally(() => {
      state.isOver = true;
    });
  const close = async () => {
    signal.removeEventListener("abort", end);
    stop.abort();
    await ended;
  };
  const until = clock.monotonic() + START_MS;
  try {
    while (!(await answers(legacy))) {
      if (state.isOver) throw unavailable(`${places.binary} ended at once: ${lines.join(" ") || "it said nothing"}`);
      if (clock.monotonic() > until || signal.aborted) throw unavailable(`${places.binary} does not answer.`);
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { legacy, env, close };
}

/** Whether the previous store runs by itself, where its environment says. */
export async function isLegacyRunning(work: Pick<Needs, "clock" | "signal">, places: Places): Promise<boolean> {
  const env = readLegacyEnv(places.env);
  return env !== null && (await answers(createLegacy(env, work)));
}

/** Reaches the previous store where it runs, or starts it. Throws `objstore_legacy_unavailable`. */
export async function openLegacy(needs: Needs, places: Places): Promise<OpenLegacy> {
  let env: LegacyEnv | null;
  try {
    env = readLegacyEnv(places.env);
  } catch (error) {
    throw unavailable(error instanceof Error ? error.message : String(error), "env");
  }
  if (env === null) throw unavailable(`there is no file ${places.env} with its environment.`, "env");
  const legacy = createLegacy(env, needs);
  if (await answers(legacy)) return { legacy, env, close: async () => {} };
  const port = store.findMigration(needs.db)?.legacy_port ?? null;
  if (port !== null) {
    const left = createLegacy({ ...env, host: "127.0.0.1", port }, needs);
    // Two programs on the same data would be worse than one that nobody ends.
    if (await answers(left)) return { legacy: left, env, close: async () => {} };
  }
  if (!existsSync(places.binary))
    throw unavailable(
      `nothing answers at ${env.host}:${env.port}, and there is no program ${places.binary} to start.`,
      "binary",
    );
  if (!existsSync(places.data)) throw unavailable(`its folder ${places.data} is not there.`);
  return await start(needs, places, env);
}
