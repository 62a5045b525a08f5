import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeScratch } from "./scratch.ts";

/**
 * Plants a host's `/sys`, `/proc` and `/run` from a text: `[folder]` opens a folder, `path = content` is a file in it,
 * `path -> target` a link and `path /` an empty folder; `<<` takes the lines up to `>>` as content. Returns the root.
 */
export function plantHost(text: string, root = makeScratch("tree")): string {
  let folder = "";
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const section = /^\[(.+)\]$/.exec(line);
    const entry = /^(\S+) (=|->|\/)(?: (.*))?$/.exec(line);
    if (section) folder = section[1] ?? "";
    if (!entry) continue;
    const [, name = "", kind, value = ""] = entry;
    const path = join(root, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (kind === "/") mkdirSync(path, { recursive: true });
    else if (kind === "->") symlinkSync(value, path);
    else if (value === "<<") {
      const end = lines.indexOf(">>", index);
      writeFileSync(path, `${lines.slice(index + 1, end).join("\n")}\n`);
      index = end;
    } else writeFileSync(path, `${value}\n`);
  }
  return root;
}

/** The same from a file beside a test. */
export function plantHostFile(url: URL): string {
  return plantHost(readFileSync(url, "utf8"));
}
