/** Our engine as a program: `create FOLDER`, `store FOLDER ID TREE`, `read FOLDER ID` to what is piped out. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { startEngine } from "../../src/node/backups/engine/index.ts";

const [verb = "", folder = "", id = "", tree = ""] = process.argv.slice(2);
const place = { type: "local", path: folder } as const;
const keyFile = `${folder}.key`;
const engine = startEngine();
if (verb === "create") {
  mkdirSync(folder);
  writeFileSync(keyFile, await engine.create(place, "KIT", null));
} else {
  const key = readFileSync(keyFile, "utf8");
  await (verb === "store"
    ? engine.open(place, key, { id: "bench", name: "bench" }, "aside")
    : engine.open(place, key, null, "now"));
  if (verb === "store") {
    const layout = `${folder}.layout`;
    const source = { root: tree, top: basename(tree), earlier: layout, fresh: `${layout}.new` };
    const { added: _, ...stored } = await engine.storeTree(source, () => {});
    renameSync(source.fresh, layout);
    const parts = [{ kind: "volume" as const, app: "app", name: "tree", ...stored }];
    const node = { name: "bench", version: "1" };
    await engine.commit({ version: 1, id, created_at: "now", node, apps: [], parts });
  } else {
    const { parts } = await engine.snapshot(id);
    const out = Bun.stdout.writer();
    for (const part of parts)
      for await (const bytes of engine.read(part)) {
        out.write(bytes);
        await out.flush();
      }
    await out.end();
  }
}
await engine.close();
