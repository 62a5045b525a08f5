import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeDatabase, openDatabase } from "../../kernel/db/open.ts";
import { createStore } from "../../kernel/db/store.ts";
import { collectMeanings } from "../../kernel/feature.ts";
import { createLog } from "../../kernel/log.ts";
import { createSeal, loadSealKey } from "../../kernel/seal.ts";
import { type Command, EXIT } from "../../kernel/service/cli.ts";
import { installedEnv } from "../../kernel/service/env-file.ts";
import { createHost } from "../../kernel/service/host.ts";
import { systemClock } from "../../lib/clock.ts";
import { createIds } from "../../lib/ids.ts";
import { nodeFeatures } from "../features.ts";
import { forgetSecondFactor } from "../people/totp/index.ts";
import { wireAccounts } from "../people/wire.ts";
import { recordEvent } from "../platform/audit/index.ts";
import { nodeProgram } from "../program.ts";
import { configFrom, DATA_OPTION, ownEnv } from "./load.ts";

/** The way back in from the host. Works beside a running service: both use the same database. */
export const resetPasswordCommand: Command = {
  name: "reset-password",
  summary: "Give an account a new password, turn its second factor off, end its sessions, make it active again",
  options: {
    username: { type: "string", value: "NAME", doc: "The account" },
    generate: { type: "boolean", doc: "Make up a password even when something is piped in" },
    ...DATA_OPTION,
  },
  async run(options, print) {
    const ids = createIds(systemClock.now);
    const username = options.text("username");
    if (username === undefined) throw new Error("say whose password: --username NAME");
    const given = options.flag("generate") ? null : await readPipedLine();
    const password = given ?? ids.token(15);
    const dataDir = options.text("data") ?? ownEnv()["ORRERY_DATA"] ?? installedData() ?? configFrom(options).data_dir;
    const path = join(dataDir, "main.db");
    if (!existsSync(path)) throw new Error(`there is no node data in ${dataDir}; name the folder: --data DIR`);
    const raw = openDatabase(path);
    const db = createStore(raw);
    try {
      const seal = createSeal(loadSealKey(join(dataDir, "node.key"), false));
      const log = createLog(systemClock, "error", print);
      const { users } = wireAccounts({ db, clock: systemClock, ids, seal, log });
      await users.resetPassword(username, password, (id) => {
        // Whoever holds the host is let in even when phone and recovery codes are lost.
        forgetSecondFactor(db, id);
        const meanings = collectMeanings(nodeFeatures);
        recordEvent({ db, clock: systemClock, ids, seal, meanings }, "auth.password_reset", {
          user_id: id,
          ip: "host",
        });
      });
    } finally {
      closeDatabase(raw);
    }
    print(
      `The password of ${username} is changed, its second factor is off and every session of that account has ended.`,
    );
    if (given === null) print(`New password: ${password}`);
    return EXIT.ok;
  },
};

function installedData(): string | undefined {
  return installedEnv(createHost(), nodeProgram)?.["ORRERY_DATA"];
}

/** The first line of what is piped in; null at a terminal or when nothing comes. */
async function readPipedLine(): Promise<string | null> {
  if (process.stdin.isTTY) return null;
  const line = (await Bun.stdin.text()).split("\n")[0]?.replace(/\r$/, "") ?? "";
  return line === "" ? null : line;
}
