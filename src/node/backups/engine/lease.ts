import { isRecord } from "../../../lib/json.ts";
import { type DocumentBounds, parseDocument } from "./documents.ts";
import { EngineFailure, NO_REPOSITORY } from "./failure.ts";
import type { Target } from "./target.ts";

const FOLDER = "leases";
const LEASE_MS = 10 * 60_000;
const MOST_NAME = 100;
const MOST_ENTRY: DocumentBounds = { bytes: 16 * 1024, values: 100 };

/** The right to write to a repository. Each is a file with the next number; the highest is in force. */
export interface Lease {
  /** Throws `fenced` when somebody else took it over; makes it last longer where that is due. */
  hold(): Promise<void>;
  release(): Promise<void>;
}

interface Entry {
  /** Null: it was given back. */
  holder: string | null;
  until: number;
  /** What people call the holder, and since when it writes; earlier leases do not say. */
  name?: string;
  since?: number;
}

function parseEntry(bytes: Uint8Array): Entry {
  const said = parseDocument(bytes, MOST_ENTRY);
  const { holder, until, name, since } = isRecord(said) ? said : {};
  const told = typeof name === "string" && typeof since === "number" ? { name: name.slice(0, MOST_NAME), since } : {};
  if ((typeof holder === "string" || holder === null) && typeof until === "number") return { holder, until, ...told };
  throw new EngineFailure("damaged", "The lease of the repository cannot be read.");
}

/** Who has it, in words. */
const describe = ({ name, since }: Partial<Entry>): string =>
  name === undefined || since === undefined || Number.isNaN(new Date(since).getTime())
    ? "Another server writes to this target."
    : `${name} writes to this target since ${new Date(since).toISOString().slice(0, 16).replace("T", " ")} UTC.`;

/** Takes the lease; `name` is what people call the holder. Throws `busy` while another writer has it. */
export async function takeLease(
  target: Target,
  holder: string,
  now: () => number,
  name: string = holder,
): Promise<Lease> {
  const newest = async (): Promise<{ number: number; entry: Entry | null }> => {
    const last = (await target.list(FOLDER)).at(-1);
    if (last === undefined) return { number: 0, entry: null };
    const entry = parseEntry(await target.read(last.name, undefined, MOST_ENTRY.bytes));
    return { number: Number(last.name.slice(FOLDER.length + 1)), entry };
  };
  const write = (number: number, entry: Entry) =>
    target.write(nameOf(number), Buffer.from(JSON.stringify(entry))).catch((error: unknown) => {
      if (error instanceof EngineFailure && error.code === "target_exists") throw busy({});
      throw error;
    });
  const nameOf = (number: number) => `${FOLDER}/${String(number).padStart(12, "0")}`;
  const busy = (entry: Partial<Entry>) => new EngineFailure("busy", describe(entry));

  const before = await newest();
  const isFree = before.entry === null || before.entry.holder === null || before.entry.holder === holder;
  if (!isFree && (before.entry?.until ?? 0) > now()) throw busy(before.entry ?? {});
  const since = now();
  let number = before.number + 1;
  let until = now() + LEASE_MS;
  await write(number, { holder, until, name, since });

  return {
    async hold() {
      const { number: highest } = await newest();
      // What is held does not go by itself.
      if (highest === 0) throw new EngineFailure("repository_missing", NO_REPOSITORY);
      if (highest !== number) throw new EngineFailure("fenced", "Another backup took this target over.");
      if (until - now() > LEASE_MS / 2) return;
      until = now() + LEASE_MS;
      await write(number + 1, { holder, until, name, since });
      number += 1;
      await target.remove(nameOf(number - 1));
    },
    async release() {
      const { number: highest } = await newest();
      if (highest !== number) return;
      const before = await target.list(FOLDER);
      await write(number + 1, { holder: null, until: 0 });
      for (const { name } of before) await target.remove(name);
    },
  };
}
