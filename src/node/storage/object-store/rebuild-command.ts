import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, EXIT } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import { layoutOf } from "./layout.ts";

/** What the command takes of the node's data. */
interface Opened {
  readHost(): { config: { data_dir: string } };
}

/**
 * `rebuild-objects`: the next start of the node makes the catalogue of its object store anew from what is stored. It is not made at
 * once, since the node may have it open.
 */
export const createRebuildCommand = (data: DataAccess<Opened>): Command => ({
  name: "rebuild-objects",
  summary: "Make the catalogue of the object store anew from what is stored, at the next start of the node",
  options: { ...data.option },
  async run(options, print) {
    const folder = await data.open(options, async (opened) => join(opened.readHost().config.data_dir, "objects"));
    const layout = layoutOf(folder);
    if (!existsSync(layout.segments)) {
      print("Nothing was ever stored here, so there is nothing to make anew.");
      return EXIT.failed;
    }
    writeFileSync(layout.wish, "", { mode: 0o600 });
    print("The catalogue is made anew when the node starts next. Restart it: systemctl restart orrery-node");
    print("The old one stays beside it, and the log of the node says what was found.");
    return EXIT.ok;
  },
});
