import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import type { RegistrationMode } from "./contract.ts";

/** Who may make an account, in the words of the configuration. */
export const REGISTRATION_MODES = ["open", "invite_only", "closed"] as const satisfies readonly RegistrationMode[];

/** What the command works with. */
export interface RegistrationCommandNeeds {
  registration: {
    mode(): Promise<RegistrationMode>;
    choose(mode: RegistrationMode | null): Promise<void>;
  };
}

/** Works beside a running panel, which asks for each account anew. */
export const createRegistrationCommand = (data: DataAccess<RegistrationCommandNeeds>): Command => ({
  name: "registration",
  summary: "Print or choose who may make an account",
  options: {
    set: {
      type: "string",
      value: "MODE",
      doc: `${REGISTRATION_MODES.join(", ")}, or config to follow CP_REGISTRATION`,
    },
    ...data.option,
  },
  run: (options, print) => {
    const chosen = options.text("set");
    const mode = REGISTRATION_MODES.find((name) => name === chosen) ?? null;
    if (chosen !== undefined && mode === null && chosen !== "config")
      throw new UsageError(`--set takes ${REGISTRATION_MODES.join(", ")} or config`);
    return data.open(options, async ({ registration }) => {
      if (chosen !== undefined) await registration.choose(mode);
      print(await registration.mode());
      return EXIT.ok;
    });
  },
});
