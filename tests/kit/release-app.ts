import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Puts a version of a test app into a folder of templates: its 1.0.0 with the Compose file changed, and `startS` to come up in. */
export function releaseApp(
  templates: string,
  name: string,
  version: string,
  change: (compose: string) => string = (compose) => compose,
  startS = 30,
): void {
  const folder = join(templates, name, version);
  cpSync(join(templates, name, "1.0.0"), folder, { recursive: true });
  const edit = (file: string, turn: (text: string) => string) =>
    writeFileSync(join(folder, file), turn(readFileSync(join(folder, file), "utf8")));
  edit("app.yaml", (text) =>
    text.replace('version: "1.0.0"', `version: "${version}"`).replace("start_s: 30", `start_s: ${startS}`),
  );
  edit("compose.yaml", change);
}
