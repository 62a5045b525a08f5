import { toIso } from "../../../lib/clock.ts";
import { describeRuntime } from "./container-runtime.ts";
import type { Component, ComponentList, ComponentOption } from "./contract.ts";
import { stateOf } from "./machine.ts";
import type { Own } from "./needs.ts";
import { type ComponentSpec, type Piece, pieceKey } from "./spec.ts";
import { readWishes, type Wishes } from "./wishes.ts";

type Health = Pick<Component, "enabled" | "status" | "cause">;

/** Whether a piece is there as it should be: it is what people see where nobody has decided. */
function isWell(piece: Piece, own: Own): boolean {
  const { present, runs } = stateOf(piece, own.machine.last());
  return present && (runs !== false || !piece.mustRun);
}

/** Whether a piece is wanted or, where nobody has decided, there. */
export const isPieceOn = (own: Own, wishes: Wishes, spec: ComponentSpec, piece: Piece): boolean =>
  wishes[pieceKey(spec, piece)] ?? isWell(piece, own);

/** The same by the key of the piece. */
export function isOnBy(own: Own, wishes: Wishes): (key: string) => boolean {
  const pieces = own.catalogue.flatMap((spec) =>
    spec.pieces.map((piece) => [pieceKey(spec, piece), { spec, piece }] as const),
  );
  const known = new Map(pieces);
  return (key) => {
    const found = known.get(key);
    return found !== undefined && isPieceOn(own, wishes, found.spec, found.piece);
  };
}

function judgePiece(own: Own, spec: ComponentSpec, piece: Piece, wishes: Wishes): Health {
  const key = pieceKey(spec, piece);
  const enabled = isPieceOn(own, wishes, spec, piece);
  const { working } = own.state;
  if (working?.waits && working.keys.has(key))
    return { enabled, status: "pending-apt", cause: "This waits until nothing else changes packages on this server." };
  const { present, runs, unit } = stateOf(piece, own.machine.last());
  if (!enabled) return { enabled, status: "disabled", cause: null };
  // Before the first answer nobody can say that it is missing.
  if (!present && own.machine.last() === null) return { enabled, status: "disabled", cause: null };
  if (!present) return { enabled, status: "failed", cause: `${piece.title} is wanted, and is not on this server.` };
  if (runs === false && piece.mustRun) {
    const what = unit === null ? "does not answer" : `${unit} does not run`;
    return { enabled, status: "failed", cause: `${piece.title} is on this server, and ${what}.` };
  }
  return { enabled, status: "installed", cause: null };
}

const NEXT_STEP: Record<Component["status"], string | null> = {
  installed: null,
  disabled: null,
  failed: "Turn it on once more. What stands in the way is then told step by step.",
  "pending-apt": "Nothing is to be done: it goes on by itself as soon as that program is ready.",
};

/** The one word for several pieces: what is worst of those that are wanted. */
function worstOf(all: readonly Health[]): Health {
  const find = (status: Health["status"]) => all.find((item) => item.status === status);
  const shown = find("pending-apt") ?? find("failed") ?? find("installed");
  return { ...(shown ?? { status: "disabled", cause: null }), enabled: all.some(({ enabled }) => enabled) };
}

function describeComponent(own: Own, spec: ComponentSpec, wishes: Wishes): Component {
  const reading = own.machine.last();
  const packagesOf = (piece: Piece) =>
    piece.packages.map((name) => reading?.packages.get(name) ?? { name, installed: null, candidate: null });
  const judged = spec.pieces.map((piece) => ({ piece, health: judgePiece(own, spec, piece, wishes) }));
  const { status, enabled, cause } = worstOf(judged.map(({ health }) => health));
  const options = judged.flatMap(({ piece, health }): ComponentOption[] =>
    piece.option === null
      ? []
      : [
          {
            option: piece.option,
            title: piece.title,
            summary: piece.summary,
            ...health,
            packages: packagesOf(piece),
          },
        ],
  );
  return {
    id: spec.id,
    title: spec.title,
    summary: spec.summary,
    ui: spec.ui,
    requires: [...spec.requires],
    enabled,
    status,
    cause,
    next_step: NEXT_STEP[status],
    packages: options.length > 0 ? [] : spec.pieces.flatMap(packagesOf),
    options,
    defaults: [...(spec.defaults ?? options.map(({ option }) => option))],
    removable: spec.permanent === undefined,
  };
}

/** Every component with what is wanted and what is there. Asks the system if it never was. */
export async function listComponents(own: Own): Promise<ComponentList> {
  await own.machine.known();
  const { wishes, error } = readWishes(own.config.data_dir);
  const reading = own.machine.last();
  const components = own.catalogue.map((spec) => describeComponent(own, spec, wishes));
  const store = own.stores.all().flatMap((tell) => tell() ?? [])[0];
  const runs = (option: string) =>
    own.catalogue.some(
      ({ id, pieces }) => id === "tuning" && pieces.some((p) => p.option === option && isWell(p, own)),
    );
  return {
    components,
    container_runtime: describeRuntime(own),
    tuning: {
      zram: runs("zram"),
      earlyoom: runs("earlyoom"),
      irqbalance: runs("irqbalance"),
      cpupower: runs("cpupower"),
      preload: runs("preload"),
    },
    busy: own.state.working !== null,
    op_id: own.state.working?.opId ?? null,
    installs: reading === null || reading.manager !== null,
    checked_at: reading === null ? null : toIso(reading.at),
    check_problem: own.machine.problem()?.message ?? null,
    ...(error === null ? {} : { config_error: error }),
    ...(store === undefined ? {} : { objstore: store }),
  };
}
