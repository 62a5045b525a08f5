import type { HostPackage, HostSysctl, HostUnit } from "../host-role/index.ts";

/** One thing that a component, or one of its options, is made of. */
export interface Piece {
  /** The option that it is; null where the component is one piece and has no options. */
  option: string | null;
  title: string;
  summary: string;
  packages: readonly HostPackage[];
  /** Names that distributions give its unit: the first that exists is meant. None where it has no unit. */
  units: readonly HostUnit[];
  /** It is of no use unless its unit runs; of others the unit is a help that some machines cannot run. */
  mustRun: boolean;
  /** Values of the kernel that go with it: a help that some servers cannot have. None when left out. */
  sysctls?: readonly { readonly key: HostSysctl; readonly value: number }[];
  /** True where it is there without being one of our packages, such as a program that somebody put there. */
  isFound?(): boolean;
  /** Of what is there without our package: whether it is at work. Left out, it is. */
  works?(): boolean;
}

/** An optional part of the system. Features add theirs with `components.offer`. */
export interface ComponentSpec {
  id: string;
  title: string;
  summary: string;
  /** The page of the dashboard that needs it; null where it has none. */
  ui: string | null;
  /** Components that must be on for it. */
  requires: readonly string[];
  pieces: readonly Piece[];
  /** Options that its bare name turns on; left out, every piece. */
  defaults?: readonly string[];
  /** Why it cannot be removed from here; left out where it can. */
  permanent?: string;
}

/** The name of a piece in a set, and where the choice about it is kept: `smart`, `tuning=zram`. */
export const pieceKey = ({ id }: Pick<ComponentSpec, "id">, { option }: Pick<Piece, "option">): string =>
  option === null ? id : `${id}=${option}`;

/** What the bare name of a component turns on. */
export const defaultPieces = ({ pieces, defaults }: ComponentSpec): readonly Piece[] =>
  pieces.filter(({ option }) => option === null || defaults === undefined || defaults.includes(option));
