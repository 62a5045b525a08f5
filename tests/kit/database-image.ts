import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256Hex } from "../../src/lib/digest.ts";
import { testEnv } from "./env.ts";
import { findImage, pushImage } from "./push-image.ts";

/** A program of this machine and what it loads, put into an image as it lies here. */
export interface DatabaseImage {
  name: string;
  programs: readonly string[];
  /** Whole folders beside them. */
  folders: readonly string[];
  /** One more folder of programs. */
  path?: string;
  /** Folders that its user may write to. */
  owned?: readonly string[];
  /**
   * A script that runs once, on this machine, and fills the folder `$1`: the image has it as `/seed`, and its user owns it. A database
   * that every container would make anew is copied from there.
   */
  seed?: string;
  /** What the container does, with the words of its command. */
  script: string;
  /** Variables that the container has. */
  env?: Record<string, string>;
  user: number;
}

async function run(...argv: string[]): Promise<string> {
  const child = Bun.spawn(argv, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, error] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")}: ${error.trim()}`);
  return out.trim();
}

async function librariesOf(program: string): Promise<string[]> {
  return [...(await run("ldd", program)).matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
}

/** Puts an image into the local registry, unless the very same is there; returns its reference with digest. */
export async function makeDatabaseImage(image: DatabaseImage): Promise<string> {
  const files = new Set(image.programs);
  for (const program of image.programs) for (const library of await librariesOf(program)) files.add(library);
  const name = `orrery-test/${image.name}`;
  const tag = recipeOf(image, files);
  const reference = (digest: string) => `${testEnv().registry}/${name}:${tag}@${digest}`;
  const known = await findImage(name, tag);
  if (known !== null) return reference(known);
  const folder = mkdtempSync(join(tmpdir(), "orrery-image-"));
  try {
    const root = join(folder, "root");
    await fillRoot(root, image, files);
    const layer = join(folder, "layer.tar");
    await run("tar", "--numeric-owner", "-C", root, "-cf", layer, ".");
    const given = Object.entries(image.env ?? {}).map(([key, value]) => `${key}=${value}`);
    const config = {
      Env: [...given, `PATH=/bin:/usr/bin:/usr/sbin:${image.path ?? "/sbin"}`],
      User: `${image.user}`,
      Entrypoint: ["sh", "/keep.sh"],
      Cmd: [],
    };
    return reference(await pushImage({ name, tag, layer, config }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What an image is made of, in twelve digits. */
function recipeOf(image: DatabaseImage, files: ReadonlySet<string>): string {
  const parts = [...files, ...image.folders].toSorted().map((path) => {
    const { size, mtimeMs } = statSync(path);
    return [path, size, mtimeMs];
  });
  return sha256Hex(Buffer.from(JSON.stringify([image, parts, testEnv().images.base]))).slice(0, 12);
}

async function fillRoot(root: string, image: DatabaseImage, files: ReadonlySet<string>): Promise<void> {
  const { user, folders, owned = [], script, seed } = image;
  for (const file of files) {
    const target = join(root, file);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target, { dereference: true });
    chmodSync(target, 0o755);
  }
  for (const path of folders) cpSync(path, join(root, path), { recursive: true, dereference: true });
  mkdirSync(join(root, "etc"), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), `root:x:0:0::/:/bin/sh\nkeeper:x:${user}:${user}::/tmp:/bin/sh\n`);
  writeFileSync(join(root, "keep.sh"), script);
  for (const path of ["/data", ...owned]) {
    mkdirSync(join(root, path), { recursive: true });
    chownSync(join(root, path), user, user);
  }
  mkdirSync(join(root, "tmp"));
  chmodSync(join(root, "tmp"), 0o1777);
  if (seed === undefined) return;
  // Databases do not start as root, and whom they start as has to come this far.
  chmodSync(dirname(root), 0o755);
  mkdirSync(join(root, "seed"));
  await run("sh", "-ec", seed, "sh", join(root, "seed"));
  await run("chown", "-R", `${user}:${user}`, join(root, "seed"));
}
