import { seconds } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { EngineError } from "../runtime/index.ts";
import type { RegistryTest } from "./contract.ts";
import { explainAnswer } from "./explain-answer.ts";
import type { Needs } from "./needs.ts";
import { getRow, openLogin } from "./registries.ts";

/** Docker asks a server that is silent for longer than people wait. */
const TEST_MS = seconds(20);
/** Without an answer of the engine only this is about the registry. */
const TIMED_OUT = /abort|timeout/i;

/**
 * Lets Docker, which pulls with it, log in at a registry, and tells what came of it. Throws `registry_not_found`,
 * `runtime_unavailable`.
 */
export async function testRegistry(
  deps: Pick<Needs, "db" | "clock" | "seal" | "bus" | "runtime">,
  { user_id, ip }: Asker,
  id: string,
): Promise<RegistryTest> {
  const { db, clock, bus, runtime } = deps;
  const engine = runtime.requireEngine();
  const row = getRow(deps, id);
  const begun = clock.monotonic();
  const answer = await engine.checkLogin(openLogin(deps, row), TEST_MS).then(
    () => ({
      outcome: "accepted" as const,
      words: `${row.address} accepts the login of ${row.username}.`,
      next_step: null,
      said: null,
    }),
    (error: unknown) => {
      const isAnswer = error instanceof EngineError && (error.status !== 0 || TIMED_OUT.test(error.message));
      if (!isAnswer) throw error;
      return explainAnswer(row.address, error.status, error.message);
    },
  );
  const latency_ms = Math.round(clock.monotonic() - begun);
  const { outcome } = answer;
  db.record(() => bus.emit("registry.tested", { user_id, ip, registry_id: id, address: row.address, outcome }));
  return { ok: outcome === "accepted", ...answer, latency_ms };
}
