import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { testEnv } from "./env.ts";

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

/** Builds an image and pushes it to the local registry; returns its reference with digest. */
export async function makeDatabaseImage(image: DatabaseImage): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-image-"));
  try {
    const files = new Set(image.programs);
    for (const program of image.programs) for (const library of await librariesOf(program)) files.add(library);
    for (const file of files) {
      const target = join(folder, "root", file);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(file, target, { dereference: true });
      chmodSync(target, 0o755);
    }
    for (const path of image.folders) cpSync(path, join(folder, "root", path), { recursive: true, dereference: true });
    mkdirSync(join(folder, "root/etc"), { recursive: true });
    const passwd = `root:x:0:0::/:/bin/sh\nkeeper:x:${image.user}:${image.user}::/tmp:/bin/sh\n`;
    writeFileSync(join(folder, "root/etc/passwd"), passwd);
    writeFileSync(join(folder, "root/keep.sh"), image.script);
    const base = testEnv().images.base;
    const tops = readdirSync(join(folder, "root")).map((top) => `COPY root/${top} /${top}`);
    const owned = ["/data", ...(image.owned ?? [])].join(" ");
    const prepare = `RUN mkdir -p ${owned} /tmp && chown ${image.user}:${image.user} ${owned} && chmod 1777 /tmp`;
    writeFileSync(
      join(folder, "Dockerfile"),
      [
        `FROM ${base}`,
        ...tops,
        prepare,
        ...Object.entries(image.env ?? {}).map(([key, value]) => `ENV ${key}=${value}`),
        `ENV PATH=/bin:/usr/bin:/usr/sbin:${image.path ?? "/sbin"}`,
        `USER ${image.user}`,
        'ENTRYPOINT ["sh", "/keep.sh"]',
        "CMD []",
        "",
      ].join("\n"),
    );
    const tag = `${testEnv().registry}/orrery-test/${image.name}:proof`;
    await run("docker", "build", "-q", "-t", tag, folder);
    const digest = /sha256:[0-9a-f]{64}/.exec(await run("docker", "push", tag))?.[0];
    await run("docker", "rmi", tag);
    if (digest === undefined) throw new Error(`${tag} was pushed without a digest`);
    return `${tag}@${digest}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
