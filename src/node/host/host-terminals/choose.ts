import { existsSync } from "node:fs";
import type { Actor } from "../../actor.ts";
import { fail, type HostTerminal, type HostTerminalInput } from "./contract.ts";
import type { Own } from "./needs.ts";
import { findChosen, saveChosen } from "./store.ts";

/** What container engines leave in a container. */
const CONTAINER_MARKS = ["/.dockerenv", "/run/.containerenv"];

type Deps = Pick<Own, "db" | "config">;

/** How terminals of the server open now. */
export function readHostTerminal({ db, config }: Deps): HostTerminal {
  const { mode, user_name } = findChosen(db) ?? { mode: "off", user_name: "" };
  const user = user_name === "" ? null : user_name;
  const isRole = config.host_socket !== "";
  const run_as = { off: null, unprivileged: user, root: "root" }[mode];
  const isContained = CONTAINER_MARKS.some((path) => existsSync(path));
  const place = isRole ? "server" : isContained ? "container" : "process";
  return { mode, user, run_as, place, may_be_root: isRole || process.getuid?.() === 0 };
}

/**
 * Chooses how they open, by somebody who proves who they are. What is open ends, unless it stays as it was. Throws
 * `exec_needs_session`, `host_terminal_no_user`, `host_terminal_no_root`, and what a wrong proof throws.
 */
export async function chooseHostTerminal(
  own: Own,
  actor: Actor,
  ip: string,
  { mode, user, ...proof }: HostTerminalInput,
  left: AbortSignal,
): Promise<HostTerminal> {
  if (actor.session_id === null) throw fail("exec_needs_session");
  const before = readHostTerminal(own);
  const user_name = user ?? before.user ?? "";
  if (mode === "unprivileged" && (user_name === "" || user_name === "root")) throw fail("host_terminal_no_user");
  if (mode === "root" && !before.may_be_root) throw fail("host_terminal_no_root");
  await own.totp.assertProof(actor, proof, ip, left);
  const after = own.db.tx(() => {
    saveChosen(own.db, { mode, user_name: user_name === "root" ? "" : user_name });
    const chosen = readHostTerminal(own);
    own.bus.emit("host.terminal_set", { user_id: actor.user_id, ip, mode, run_as: chosen.run_as });
    return chosen;
  });
  if (after.run_as !== before.run_as) for (const end of own.open) end();
  return after;
}
