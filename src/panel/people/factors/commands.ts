import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";

/** What the command works with. */
export interface FactorCommandNeeds {
  factors: { resetFactors(email: string): Promise<boolean> };
}

/** `reset-factors`; works beside a running panel. */
export const createFactorCommand = (data: DataAccess<FactorCommandNeeds>): Command => ({
  name: "reset-factors",
  summary: "Take every second factor off an account whose owner lost them; the passphrase stays",
  options: {
    email: { type: "string", value: "ADDRESS", doc: "The address of the account" },
    ...data.option,
  },
  run(options, print) {
    const email = options.text("email");
    if (email === undefined) throw new UsageError("say whose account: --email ada@example.org");
    return data.open(options, async ({ factors }) => {
      if (!(await factors.resetFactors(email))) throw new Error(`there is no account ${email}`);
      print(`${email} signs in with the passphrase alone now; every session has ended.`);
      return EXIT.ok;
    });
  },
});
