import { AppError } from "../../../kernel/http/errors.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { HostPackage, HostRole, HostUnit, VerbOutput } from "../host-role/index.ts";
import type { Needs } from "./needs.ts";
import type { ComponentSpec, Piece } from "./spec.ts";

type PackageFacts = VerbOutput<"packages.state">["packages"][number];
type UnitFacts = VerbOutput<"unit.state">;

const OLD_MS = minutes(5);
const TRY_AGAIN_MS = seconds(30);

/** What the system said when it was asked. */
export interface Reading {
  at: number;
  /** What installs packages here; null where it is nothing that we know. */
  manager: VerbOutput<"packages.state">["manager"];
  packages: ReadonlyMap<string, PackageFacts>;
  /** Only units that exist. */
  units: ReadonlyMap<string, UnitFacts>;
}

/** What is known of the system, from when it was asked last. */
export interface Machine {
  last(): Reading | null;
  /** Why it could not be asked the last time. */
  problem(): Error | null;
  /** Asks it anew; an answer that is under way may be from before. Never rejects: see `problem`. */
  look(): Promise<void>;
  /** Waits for a first answer; one that has become old is renewed for whoever asks next. */
  known(): Promise<void>;
}

/** Asks for the units of a piece; units are not told of where there is no systemd. */
export async function readUnit(
  hostRole: HostRole,
  names: readonly HostUnit[],
  by: string,
): Promise<{ unit: HostUnit; facts: UnitFacts } | null> {
  for (const unit of names) {
    const facts = await hostRole.ask("unit.state", { unit }, { by }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "no_systemd") return null;
      throw error;
    });
    if (facts?.exists) return { unit, facts };
  }
  return null;
}

/** A machine that is asked for everything that the catalogue is made of. */
export function createMachine(
  { hostRole, clock, signal, log }: Pick<Needs, "hostRole" | "clock" | "signal" | "log">,
  catalogue: () => readonly ComponentSpec[],
): Machine {
  let last: Reading | null = null;
  let problem: Error | null = null;
  let looking: Promise<void> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<Reading> {
    const pieces = catalogue().flatMap((spec) => spec.pieces);
    const names = [...new Set(pieces.flatMap((piece) => piece.packages))];
    const { packages, manager } = await hostRole.ask("packages.state", { packages: names }, { by: "node", signal });
    const units = new Map<string, UnitFacts>();
    for (const piece of pieces) {
      const known = piece.packages.some((name) => packages.find((item) => item.name === name)?.installed);
      const found = known ? await readUnit(hostRole, piece.units, "node") : null;
      if (found) units.set(found.unit, found.facts);
    }
    return { at: clock.now(), manager, packages: new Map(packages.map((item) => [item.name, item])), units };
  }

  async function ask(): Promise<void> {
    askedAt = clock.monotonic();
    try {
      last = await read();
      problem = null;
    } catch (error) {
      if (signal.aborted) return;
      problem = error instanceof Error ? error : new Error(String(error));
      if (!(error instanceof AppError)) log.error("the system could not be asked for its components", { error });
    }
  }

  const join = () => {
    looking ??= ask().finally(() => {
      looking = null;
    });
    return looking;
  };
  const isOlderThan = (ms: number) => clock.monotonic() - askedAt > ms;
  return {
    last: () => last,
    problem: () => problem,
    async look() {
      await looking;
      await join();
    },
    async known() {
      if (last === null && (looking !== null || isOlderThan(TRY_AGAIN_MS))) return join();
      if (isOlderThan(OLD_MS)) void join();
    },
  };
}

/** How a piece is, as the system says: whether it is there, whether its package was put there, and whether it runs. */
export interface PieceState {
  present: boolean;
  packaged: boolean;
  /** Null where it has no unit, or none that this system knows, and nothing else tells. */
  runs: boolean | null;
  unit: HostUnit | null;
}

/** How a piece is in a reading; nothing is there while the system was never asked. */
export function stateOf(piece: Piece, reading: Reading | null): PieceState {
  const isInstalled = (name: HostPackage) => (reading?.packages.get(name)?.installed ?? null) !== null;
  const packaged = piece.packages.length > 0 && piece.packages.every(isInstalled);
  const unit = piece.units.find((name) => reading?.units.has(name)) ?? null;
  const present = packaged || piece.isFound?.() === true;
  const found = present && !packaged ? (piece.works?.() ?? null) : null;
  const runs = unit === null ? found : (reading?.units.get(unit)?.active ?? null);
  return { present, packaged, runs, unit };
}
