import type { Database } from "bun:sqlite";
import { type Command, type CommandOptions, EXIT, type OptionSpec, UsageError } from "../../../kernel/service/cli.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { TargetInput } from "./contract.ts";
import { makePlace } from "./places.ts";
import { type Opened, restoreNode } from "./restore-node.ts";

/** What the command takes of the program. */
export interface RestoreNeeds {
  /** The option that names the data folder, and the folder that it means. */
  option: Record<string, OptionSpec>;
  folderOf(options: CommandOptions): string;
  version: string;
  clock: Clock;
  /** Brings the database of an older program up to date. */
  migrate(database: Database): void;
  /** The ways into a node: which kinds there are, and what ends sessions, links and some kinds, and says what is left of the others. */
  ways: { kinds: readonly string[]; end(opened: Opened, kinds: readonly string[]): string };
  /** The lines that are piped in, or typed at a terminal when asked. */
  readLine?: (question: string) => Promise<string>;
}

const OPTIONS: Record<string, OptionSpec> = {
  bucket: { type: "string", value: "NAME", doc: "TARGET is the address of an S3 server: the bucket there" },
  prefix: { type: "string", value: "PATH", doc: "Only what lies below it in the bucket" },
  region: { type: "string", value: "NAME", doc: "Region of the bucket" },
  "access-key": { type: "string", value: "ID", doc: "Access key of the bucket; its secret key is asked for" },
  "host-key": {
    type: "string",
    value: "SHA256:…",
    doc: "TARGET is sftp://USER@HOST[:PORT]/FOLDER: the key of that server",
  },
  username: { type: "string", value: "NAME", doc: "TARGET is a folder of a WebDAV server: the user there" },
  "drop-off": {
    type: "boolean",
    doc: "TARGET is the address of another Orrery that kept the backups; its key is asked for",
  },
  end: {
    type: "string",
    value: "LIST",
    doc: "What may not let people in any more, besides sessions: keys,devices,passkeys,webdav",
  },
  backup: { type: "string", value: "ID", doc: "This backup instead of the newest one" },
};

/** Lines from a pipe one after the other; at a terminal each is asked for. */
function lineReader(): (question: string) => Promise<string> {
  let piped: string[] | null = null;
  return async (question) => {
    if (process.stdin.isTTY) return prompt(`${question}:`) ?? "";
    piped ??= (await Bun.stdin.text()).split("\n");
    return piped.shift()?.replace(/\r$/, "") ?? "";
  };
}

async function inputOf(
  target: string,
  options: CommandOptions,
  readLine: (question: string) => Promise<string>,
): Promise<TargetInput> {
  const name = "restore";
  const bucket = options.text("bucket");
  const username = options.text("username");
  const optional = (key: "prefix" | "region") => {
    const value = options.text(key);
    return value === undefined ? {} : { [key]: value };
  };
  if (target.startsWith("/")) return { type: "local", name, path: target };
  if (target.startsWith("sftp:") && URL.canParse(target)) {
    const { hostname, port, username: user, pathname } = new URL(target);
    const host_key = options.text("host-key");
    return {
      type: "sftp",
      name,
      host: hostname.replaceAll(/^\[|\]$/g, ""),
      ...(port === "" ? {} : { port: Number(port) }),
      path: decodeURIComponent(pathname),
      username: decodeURIComponent(user),
      password: await readLine("Password of the user"),
      ...(host_key === undefined ? {} : { host_key }),
    };
  }
  if (options.flag("drop-off"))
    return { type: "node", name, url: target, key: (await readLine("Key of the place there")).trim() };
  if (bucket !== undefined) {
    const access_key = options.text("access-key");
    if (access_key === undefined) throw new UsageError("say which key opens the bucket: --access-key ID");
    const secret_key = await readLine("Secret key of the bucket");
    return {
      type: "s3",
      name,
      endpoint: target,
      bucket,
      access_key,
      secret_key,
      ...optional("prefix"),
      ...optional("region"),
    };
  }
  if (username !== undefined)
    return { type: "webdav", name, url: target, username, password: await readLine("Password of the user") };
  throw new UsageError(
    `${target} is no whole path of a folder; for a bucket add --bucket and --access-key, for WebDAV --username, for another Orrery --drop-off; SFTP is sftp://USER@HOST/FOLDER`,
  );
}

/** `restore TARGET`: a node that was lost comes back on a new machine, with nothing but its target and the recovery kit. */
export const createRestoreCommand = ({
  option,
  folderOf,
  version,
  clock,
  migrate,
  ways,
  readLine,
}: RestoreNeeds): Command => ({
  name: "restore",
  summary: "Bring a lost node back from its backups into an empty data folder; asks for the recovery key or passphrase",
  argument: "TARGET",
  options: { ...OPTIONS, ...option },
  async run(options, print) {
    const target = options.text("TARGET");
    if (target === undefined) throw new UsageError("say where the backups are: restore /mnt/disk or restore https://…");
    const kinds = (options.text("end") ?? "").split(",").filter((kind) => kind !== "");
    const unknown = kinds.find((kind) => !ways.kinds.includes(kind));
    if (unknown !== undefined)
      throw new UsageError(`--end takes a list from ${ways.kinds.join(",")}, and ${unknown} is none of them`);
    const read = readLine ?? lineReader();
    const folder = folderOf(options);
    const typed = await read("Recovery key or passphrase");
    if (typed.trim() === "") throw new UsageError("pipe the recovery key or the passphrase in, or type it when asked");
    const input = await inputOf(target, options, read);
    const config = { data_dir: folder };
    const place = makePlace({ config, ownPorts: new Set(), objects: { port: () => 0 } }, input);
    let left = "";
    const { apps, node, created_at } = await restoreNode({
      place,
      typed: typed.trim(),
      backup: options.text("backup") ?? null,
      folder,
      version,
      clock,
      print,
      migrate,
      along: (opened) => {
        left = ways.end(opened, kinds);
      },
    });
    print(`${node.name} is back in ${folder}: its users, settings and secrets are as they were.`);
    print("All sessions have ended, and invitations with them: everybody signs in anew.");
    if (left !== "")
      print(`As at ${created_at}, ${left} let people in, also what was ended since; end it there, or by --end.`);
    if (apps.length > 0)
      print(
        `Start it now. The data of ${apps.map(({ name }) => name).join(", ")} follows by itself, then they run again.`,
      );
    return EXIT.ok;
  },
});
