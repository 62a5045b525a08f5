import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";

/** What the command works with. */
export interface MailCommandNeeds {
  mail: { sendTest(to: string): Promise<void> };
}

/** `mail-test`, which shows what the mail server says. */
export const createMailCommand = (data: DataAccess<MailCommandNeeds>): Command => ({
  name: "mail-test",
  summary: "Send a test letter and print what became of it",
  options: {
    to: { type: "string", value: "ADDRESS", doc: "Who gets it" },
    ...data.option,
  },
  run(options, print) {
    const to = options.text("to");
    if (to === undefined || !/^[^\s@<>]+@[^\s@<>]+$/.test(to) || to.length > 254)
      throw new UsageError("say who gets it: --to ada@example.org");
    return data.open(options, async ({ mail }) => {
      await mail.sendTest(to);
      print(`The mail server took a letter to ${to}.`);
      return EXIT.ok;
    });
  },
});
