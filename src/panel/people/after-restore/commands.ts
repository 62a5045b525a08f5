import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import type { Outcome } from "./logic.ts";

/** What the command works with. */
export interface AfterRestoreCommandNeeds {
  afterRestore: {
    askable(): string[];
    endAdmissions(asked: readonly string[]): Promise<Outcome>;
  };
}

/** `after-restore`; `alone` opens the data of a panel that does not run: one that does has let people in already. */
export const createAfterRestoreCommand = (alone: DataAccess<AfterRestoreCommandNeeds>): Command => ({
  name: "after-restore",
  summary: "End what an older database lets in again once it was put back; with the panel stopped, before its start",
  options: {
    end: { type: "string", value: "LIST", doc: "What else to end, besides what always ends: directories" },
    ...alone.option,
  },
  run(options, print) {
    const asked = (options.text("end") ?? "").split(",").filter((name) => name !== "");
    return alone.open(options, async ({ afterRestore }) => {
      const known = afterRestore.askable();
      const unknown = asked.find((name) => !known.includes(name));
      if (unknown !== undefined)
        throw new UsageError(`--end takes a list from ${known.join(",")}, and ${unknown} is none of them`);
      const { ended, left } = await afterRestore.endAdmissions(asked);
      print(ended.length === 0 ? "There was nothing to end." : `Ended: ${ended.join(", ")}. Everybody signs in anew.`);
      if (left.length > 0)
        print(`As in the backup, also what was ended since: ${left.join(", ")}. docs/panel.md says how each is ended.`);
      print("Passwords, members and nodes are as they were then. Start the panel now.");
      return EXIT.ok;
    });
  },
});
