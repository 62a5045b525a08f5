import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import { isLanguage, LANGUAGES, type Language } from "../../languages.ts";

/** What the command works with. */
export interface MailCommandNeeds {
  mail: { sendTest(to: string, language: Language): Promise<void> };
}

/** `mail-test`, which shows what the mail server says. */
export const createMailCommand = (data: DataAccess<MailCommandNeeds>): Command => ({
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
