import { toIso } from "../../../../lib/clock.ts";
import { parseJson } from "../../../../lib/json.ts";
import { type ForwarderTest, fail } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { asChecked, createSender } from "../senders/index.ts";
import { type By, getRow } from "./forwarders.ts";
import { isPaused } from "./paused.ts";
import { openSecret } from "./secret.ts";

type Deps = Pick<Needs, "db" | "clock" | "seal" | "bus" | "ownPorts" | "identity" | "lists">;

const LOST =
  "The connection ended right after the line was sent, so it may not have been read. Look into the receiver's own log.";

/**
 * Sends one line over a connection of its own, past what waits, and tells what came back; where the protocol has no answer, whether the
 * connection outlived it. Throws `log_forwarder_not_found`, `log_forwarder_paused`.
 */
export async function testForwarder(deps: Deps, by: By, id: string): Promise<ForwarderTest> {
  const { db, clock, bus, ownPorts, identity } = deps;
  const row = getRow(deps, id);
  if (isPaused(deps, row)) throw fail("log_forwarder_paused", { name: row.name });
  const checked = asChecked(row.kind, parseJson(row.config));
  if (!checked) throw new Error(`the stored configuration of ${id} does not fit`);
  const sender = createSender({ clock, ownPorts, server: identity.name }, checked, openSecret(deps, row));
  const at = toIso(clock.now());
  const text = `This is a test. Log lines of ${identity.name()} arrive here.`;
  const begun = clock.monotonic();
  try {
    const result = await sender.send([{ at, source: "orrery", level: "info", text }], `${id}-test-${clock.now()}`);
    const latency_ms = Math.round(clock.monotonic() - begun);
    const isTaken = result.status === "taken";
    if (isTaken && sender.settleMs > 0) await clock.sleep(sender.settleMs);
    const ok = isTaken && sender.isStanding();
    db.record(() => bus.emit("log_forwarder.tested", { ...by, forwarder_id: id, name: row.name, kind: row.kind, ok }));
    return { ok, code: result.code, words: isTaken && !ok ? LOST : result.words, latency_ms };
  } finally {
    sender.close();
  }
}
