import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import type { IconName } from "../icons/names.ts";
import type { Command } from "../kit/palette.tsx";
import type { MenuGroup, Screen } from "./screens.ts";

/** Something among others of its kind: the one with the smaller number comes first. */
export interface Placed {
  order: number;
}

/** A component that a feature puts among those of others. */
export interface Piece extends Placed {
  view: FunctionComponent;
}

/** Commands that a feature adds to the palette. */
export interface CommandSource extends Placed {
  /** Runs as a hook each time the palette is drawn. */
  use: () => Command[];
}

/** A link or an action in the menu of the account. */
export interface AccountEntry extends Placed {
  title: string;
  icon: IconName;
  /** An address, or what to do. */
  to: string | (() => void);
}

/** A line on the sheet of keys. */
export interface KeyHint {
  shown: string[];
  what: string;
}

/** A key that does something on every page. */
export interface Key extends KeyHint {
  /** As the browser names it. */
  press: string;
  /** Held together with the command key, or Ctrl; works while somebody types, too. */
  command?: true;
  run: () => void;
}

/** Keys that a part of a page has; that part listens to them itself. */
export interface KeyGroup {
  /** Where they work. */
  title: string;
  keys: KeyHint[];
}

/** How a feature keeps what the page knows up to date. */
export interface Reaction {
  /** The stream has opened or begun anew. What happened before is not in the stream, so lists have to be loaded again. */
  onOpen?: () => void;
  /** By name of the event; `alert.*` stands for all that begin with `alert.` */
  on?: Record<string, (data: unknown) => void>;
}

/** What a feature adds to the page of its program; most add a screen or two and nothing else. */
export interface Feature {
  screens?: Screen[];
  /** Stands above the menu, where the program has no sign of its own; one feature of a program brings it. */
  head?: FunctionComponent;
  commands?: CommandSource;
  keys?: Key[];
  /** Keys of parts of its screens, for the sheet. */
  partKeys?: KeyGroup[];
  /** At the right of the top bar. */
  tool?: Piece;
  account?: AccountEntry;
  /** Lies over any page when it has something to ask. */
  prompt?: FunctionComponent;
  reaction?: Reaction;
  /** Runs while somebody is signed in; returns the way to stop. */
  duty?: () => () => void;
}

/** What all features of a program bring, each list in its order. */
export interface Page {
  screens: Screen[];
  groups: MenuGroup[];
  heads: FunctionComponent[];
  commands: CommandSource[];
  keys: Key[];
  partKeys: KeyGroup[];
  tools: Piece[];
  account: AccountEntry[];
  prompts: FunctionComponent[];
  reactions: Reaction[];
  duties: (() => () => void)[];
}

/** Runs what the features do while somebody is signed in. */
export function useDuties({ duties }: Pick<Page, "duties">): void {
  useEffect(() => {
    const stops = duties.map((begin) => begin());
    return () => {
      for (const stop of stops) stop();
    };
  }, [duties]);
}

/** Where commands that no feature brings stand in the palette, so that features can take a place between them. */
export const commandOrder = { pages: 100, actions: 200, signOut: 300, things: 1000 };

/** Puts together what the features of a program bring. */
export function collectPage(groups: MenuGroup[], features: readonly Feature[]): Page {
  return {
    screens: sortMenu(
      groups,
      features.flatMap(({ screens }) => screens ?? []),
    ),
    groups,
    heads: features.flatMap(({ head }) => head ?? []),
    commands: inOrder(features.flatMap(({ commands }) => commands ?? [])),
    keys: features.flatMap(({ keys }) => keys ?? []),
    partKeys: features.flatMap(({ partKeys }) => partKeys ?? []),
    tools: inOrder(features.flatMap(({ tool }) => tool ?? [])),
    account: inOrder(features.flatMap(({ account }) => account ?? [])),
    prompts: features.flatMap(({ prompt }) => prompt ?? []),
    reactions: features.flatMap(({ reaction }) => reaction ?? []),
    duties: features.flatMap(({ duty }) => duty ?? []),
  };
}

function inOrder<T extends Placed>(items: T[]): T[] {
  return items.sort((a, b) => a.order - b.order);
}

/** Screens of the menu as they stand there; those that have no entry come last. */
function sortMenu(groups: MenuGroup[], screens: Screen[]): Screen[] {
  const placeOf = ({ nav }: Screen): number =>
    nav === undefined ? Number.MAX_VALUE : groups.findIndex(({ id }) => id === nav.group) * 1000 + nav.order;
  return screens.sort((a, b) => placeOf(a) - placeOf(b));
}
