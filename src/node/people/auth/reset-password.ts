import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import type { OpenedData } from "../../opened-data.ts";
import { recordEvent } from "../../platform/audit/index.ts";
import { forgetSecondFactor } from "../totp/index.ts";
import type { EndedWays, Users } from "../users/index.ts";
import { tellEnded, WAY_KINDS } from "./ended.ts";

/**
 * `reset-password`, the way back in from the host. Works beside a running service: both use the same database. `readLine` gives the
 * password that was piped in, or null.
 */
export const createResetPassword = (
  data: DataAccess<OpenedData>,
  makeUsers: (opened: OpenedData) => Pick<Users, "resetPassword">,
  readLine: () => Promise<string | null> = readPipedLine,
): Command => ({
  name: "reset-password",
  summary:
    "Give an account a new password, turn its second factor off, end all other ways into it, make it active again",
  options: {
    username: { type: "string", value: "NAME", doc: "The account" },
    generate: { type: "boolean", doc: "Make up a password even when something is piped in" },
    keep: { type: "string", value: "LIST", doc: `What may go on letting people in: ${WAY_KINDS.join(",")}` },
    ...data.option,
  },
  async run(options, print) {
    const username = options.text("username");
    if (username === undefined) throw new UsageError("say whose password: --username NAME");
    const kept = (options.text("keep") ?? "").split(",").filter((name) => name !== "");
    const unknown = kept.find((name) => !WAY_KINDS.includes(name));
    if (unknown !== undefined)
      throw new UsageError(`--keep takes a list from ${WAY_KINDS.join(",")}, and ${unknown} is none of them`);
    const given = options.flag("generate") ? null : await readLine();
    const { password, ways } = await data.open(options, async (opened) => {
      const { db, ids } = opened;
      const chosen = given ?? ids.token(15);
      let ended: EndedWays = {};
      await makeUsers(opened).resetPassword(username, chosen, kept, (id, gone) => {
        // Whoever holds the host is let in even when phone and recovery codes are lost.
        forgetSecondFactor(db, id);
        recordEvent(opened, "auth.password_reset", { user_id: id, ip: "host", ended: gone });
        ended = gone;
      });
      return { password: chosen, ways: ended };
    });
    print(
      `The password of ${username} is changed, its second factor is off and every session of that account has ended${tellEnded(ways)}. What it has open on screen closes within 15 seconds.`,
    );
    if (given === null) print(`New password: ${password}`);
    return EXIT.ok;
  },
});

/** The first line of what is piped in; null at a terminal or when nothing comes. */
async function readPipedLine(): Promise<string | null> {
  if (process.stdin.isTTY) return null;
  const line = (await Bun.stdin.text()).split("\n")[0]?.replace(/\r$/, "") ?? "";
  return line === "" ? null : line;
}
