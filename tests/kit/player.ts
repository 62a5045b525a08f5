import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWN_TEMPLATES } from "./own-templates.ts";

const USUAL = "1.11.0";

/**
 * Writes a template of one's own, `player`, whose app has this folder of the server and a secret, and is well while something listens at
 * that port.
 */
export function writePlayer(catalogue: string, folder: string, port: number, version = USUAL): void {
  const place = join(catalogue, "player", version);
  cpSync(join(OWN_TEMPLATES, "whoami", USUAL), place, { recursive: true });
  const rewrite = (file: string, change: (text: string) => string) =>
    writeFileSync(join(place, file), change(readFileSync(join(place, file), "utf8")));
  rewrite("app.yaml", (text) =>
    text
      .replace("name: whoami\n", "name: player\n")
      .replace(`version: "${USUAL}"`, `version: "${version}"`)
      .replace("secrets: []", "secrets: [{ key: WORD, kind: hex, bytes: 16, label: A word, rotatable: true }]")
      .replace("http: /health\n  expect: 200", `tcp: ${port}`)
      .replace("stable_s: 5", "stable_s: 1")
      .replace(
        "permissions: []",
        `permissions: [{ id: "host_path:${folder}", title: A folder, detail: It reads the folder and writes to it. }]`,
      ),
  );
  rewrite("compose.yaml", (text) =>
    text.replace("    environment:\n", `$&      WORD: \${WORD}\n`).concat(`    volumes: ["${folder}:/host"]\n`),
  );
}
