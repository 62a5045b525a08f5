import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import { toIso } from "../../../lib/clock.ts";
import { lookedFor } from "../../addresses.ts";
import { isLanguage, LANGUAGES } from "../../languages.ts";
import type { Mailing } from "./mailing.ts";
import type { OutcomeRow } from "./outcome-store.ts";

/** What the command works with. */
export interface MailCommandNeeds {
  mail: Pick<Mailing, "sendTest" | "listUntaken" | "forgetAddress">;
}

const LISTED_MAX = 1000;

/** The commands about mail. */
export const createMailCommands = (data: DataAccess<MailCommandNeeds>): readonly Command[] => [
  createTest(data),
  createList(data),
];

/** `mail`, which tells of letters that nobody took. */
const createList = (data: DataAccess<MailCommandNeeds>): Command => ({
  name: "mail",
  summary: "Print the letters that wait or were not taken, in all workspaces",
  options: {
    address: { type: "string", value: "ADDRESS", doc: "Only the last ones to this address, taken or not" },
    retry: { type: "boolean", doc: "Forget what is known of --address, so that it is written to again" },
    ...data.option,
  },
  run(options, print) {
    const given = options.text("address");
    const address = given === undefined ? null : lookedFor(given);
    const isRetry = options.flag("retry");
    if (isRetry && address === null) throw new UsageError("say which address to try again: --address ada@example.org");
    return data.open(options, async ({ mail }) => {
      if (isRetry && address !== null) {
        const isKnown = await mail.forgetAddress(address);
        print(isKnown ? `${address} is written to again.` : `Nothing is known of ${address}.`);
        return EXIT.ok;
      }
      const rows = await mail.listUntaken(address, LISTED_MAX);
      if (rows.length === 0) print("No letter waits, and none was refused or given up in the last 30 days.");
      for (const row of rows) print(lineOf(row));
      return EXIT.ok;
    });
  },
});

/** `2026-11-27T03:49:15.000Z  refused   ada@example.org  ten_1  550 5.1.1 No such user` */
function lineOf({ at, state, address, tenant_id, reason, is_unreachable }: OutcomeRow): string {
  const told = is_unreachable === 1 ? ["gets no notices or digests"] : [];
  const whose = tenant_id === "" ? "account" : tenant_id;
  return [toIso(at), state.padEnd(8), address, whose, reason ?? "", ...told].filter((part) => part !== "").join("  ");
}

/** `mail-test`, which shows what the mail server says. */
const createTest = (data: DataAccess<MailCommandNeeds>): Command => ({
  name: "mail-test",
  summary: "Send a test letter and print what became of it",
  options: {
    to: { type: "string", value: "ADDRESS", doc: "Who gets it" },
    language: { type: "string", value: "CODE", doc: `What it is written in: ${LANGUAGES.join(", ")}` },
    ...data.option,
  },
  run(options, print) {
    const to = options.text("to");
    if (to === undefined || !/^[^\s@<>]+@[^\s@<>]+$/.test(to) || to.length > 254)
      throw new UsageError("say who gets it: --to ada@example.org");
    const language = options.text("language") ?? "en";
    if (!isLanguage(language)) throw new UsageError(`letters are written in ${LANGUAGES.join(", ")}`);
    return data.open(options, async ({ mail }) => {
      await mail.sendTest(to, language);
      print(`The mail server took a letter to ${to}.`);
      return EXIT.ok;
    });
  },
});
