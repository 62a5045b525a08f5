import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWN_TEMPLATES } from "./own-templates.ts";

/** Writes a template of one's own, `player`, whose app has this folder of the server and is well while something listens at that port. */
export function writePlayer(catalogue: string, folder: string, port: number): void {
  const version = join(catalogue, "player", "1.11.0");
  cpSync(join(OWN_TEMPLATES, "whoami", "1.11.0"), version, { recursive: true });
  const rewrite = (file: string, change: (text: string) => string) =>
    writeFileSync(join(version, file), change(readFileSync(join(version, file), "utf8")));
  rewrite("app.yaml", (text) =>
    text
      .replace("name: whoami\n", "name: player\n")
      .replace("http: /health\n  expect: 200", `tcp: ${port}`)
      .replace("stable_s: 5", "stable_s: 1")
      .replace(
        "permissions: []",
        `permissions: [{ id: "host_path:${folder}", title: A folder, detail: It reads the folder and writes to it. }]`,
      ),
  );
  rewrite("compose.yaml", (text) => `${text}    volumes: ["${folder}:/host"]\n`);
}
