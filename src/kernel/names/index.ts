/** Addresses of names: no thread of the runtime waits for a name server, and silent ones of some hold up nobody else. */
import { hostname } from "node:os";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { createExpiringMap } from "../../lib/expiring-map.ts";
import { type Asker, createFairQueue } from "../../lib/fair-queue.ts";
import type { RunProgram } from "../host/run-program.ts";
import { askModules } from "./ask-modules.ts";
import { createServers } from "./ask-servers.ts";
import { completions, createTextFile, findInHosts, hasOtherSources, readSearch } from "./etc-files.ts";
import { LookupError } from "./lookup-error.ts";
import { readHost } from "./spelling.ts";
import { turnFamilies } from "./turn-families.ts";

/** For whom a name is looked up. */
export interface NameAsker {
  /** A workspace, or an account; left out, the program itself. */
  of?: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined;
}

/** All addresses of a name, as text, in the order in which they are to be tried. Throws LookupError. */
export type LookUp = (host: string, asker?: NameAsker) => Promise<string[]>;

export interface NamesOptions {
  clock: Clock;
  /** Folder of the system's own files. */
  etc?: string;
  /** Asked instead of those of the system, `address:port`. */
  servers?: readonly string[];
  /** Runs the system's library. */
  run?: RunProgram;
}

const PROGRAM = "program";
/** Of one asker so many are looked up at a time, and so many wait. */
const MOST = { running: 4, waiting: 50 };
const MOST_OF_PROGRAM = { running: 64, waiting: 500 };
/** How many are looked up at a time: a socket each. Some are only for whoever asked for little lately. */
const TURNS = { size: 256, spare: 64, most: 1_000, patienceMs: seconds(10) };
/** How many processes ask the system's library at a time. */
const MODULE_TURNS = { size: 3, spare: 1, most: 50, patienceMs: seconds(3) };
/** Who asks for a name many times in a row means the same place; whoever moves it waits no longer than this. */
const KEPT = { ms: seconds(5), names: 500 };

const refuse = () => new LookupError("EAI_AGAIN", { message: "too many names are looked up at the moment" });

function askerOf({ of = PROGRAM, signal }: NameAsker): Asker {
  const { waiting } = of === PROGRAM ? MOST_OF_PROGRAM : MOST;
  return { path: [of], limit: { key: of, most: waiting }, left: signal ?? null };
}

/**
 * Looks names up as the system would: /etc/hosts, then name servers with the system's domains, then what else it has. What many ask for at
 * once is asked once, and an answer is kept for some seconds.
 */
export function createNames({ clock, etc = "/etc", servers, run }: NamesOptions): LookUp {
  const [hosts, resolvConf, nsswitch] = ["hosts", "resolv.conf", "nsswitch.conf"].map((file) =>
    createTextFile(`${etc}/${file}`),
  ) as [() => string, () => string, () => string];
  const askServers = createServers(clock, servers ?? null);
  const kept = createExpiringMap<string[]>(clock, KEPT.names);
  const running = new Map<string, Promise<string[]>>();
  const weightOf = (group: string) => (group === PROGRAM ? MOST_OF_PROGRAM.running / MOST.running : 1);
  const mostOfPart = (group: string) => (group === PROGRAM ? MOST_OF_PROGRAM : MOST).running;
  const inTurn = createFairQueue(clock, { ...TURNS, weightOf, mostOfPart, refuse });
  const inModuleTurn = createFairQueue(clock, { ...MODULE_TURNS, mostOfPart: () => 1, refuse });

  /** Only what runs is joined: what waits does so in the turn of somebody else. */
  const known = (name: string): Promise<string[]> | null => {
    const answer = kept.get(name);
    return answer ? Promise.resolve(answer) : (running.get(name) ?? null);
  };

  function ask(name: string): Promise<string[]> {
    const asking = askServers(completions(name, readSearch(resolvConf(), hostname())))
      .then((found) => keep(name, turnFamilies(found)))
      .finally(() => running.delete(name));
    running.set(name, asking);
    return asking;
  }

  function keep(name: string, addresses: string[]): string[] {
    kept.set(name, addresses, KEPT.ms);
    return addresses;
  }

  /** What no name server knows: of a name that is not theirs, some say that it is none, and some that they cannot tell. */
  async function askElsewhere(name: string, asker: Asker, error: unknown): Promise<string[]> {
    if (!(error instanceof LookupError && error.isAnswer && hasOtherSources(nsswitch()))) throw error;
    const found = await inModuleTurn(asker, async () => kept.get(name) ?? (await askModules(name, run)));
    if (found.length === 0) throw error;
    return keep(name, found);
  }

  return async (host, by = {}) => {
    const read = readHost(host);
    if ("address" in read) return [read.address];
    const { name } = read;
    const plain = name.replace(/\.$/, "");
    const written = findInHosts(hosts(), plain);
    if (written.length > 0) return turnFamilies(written);
    if (plain === "localhost" || plain.endsWith(".localhost")) return ["127.0.0.1"];
    const asker = askerOf(by);
    const answer = known(name) ?? inTurn(asker, () => known(name) ?? ask(name));
    return await answer.catch((error: unknown) => askElsewhere(name, asker, error));
  };
}

/** For the whole process: as other programs of this machine would. */
export const lookUp: LookUp = createNames({ clock: systemClock });
