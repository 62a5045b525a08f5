import { type ReadonlySignal, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { loadAhead } from "../client/ahead.ts";
import { navigate } from "../client/router.ts";
import { wish } from "../client/wish.ts";
import type { Command } from "../kit/palette.tsx";
import type { Placed } from "./feature.ts";
import { reveal } from "./reveal.ts";

/**
 * What the palette finds of a feature beside its pages: the things it keeps, its settings, and what can be done with them. Not part
 * of the feature's declaration, because those are loaded with every page, and these soon after it.
 */
export interface Finder extends Placed {
  /** Loads what `list` tells of; called when the palette opens. */
  open?: () => void;
  /** What there is for whoever is here; nothing that they may not see or do. Reads signals, so that it may say more later. */
  list?: () => Command[];
  /** What can be done with the words themselves, such as looking for them in a log. */
  words?: (words: string) => Command[];
  /** Asks the server for what has the words, and tells what is known whenever more has come, until the signal aborts. */
  search?: (words: string, signal: AbortSignal, tell: (told: Told) => void) => void;
}

/** What a server has found so far. */
export interface Told {
  found: readonly Command[];
  /** What came after that, in the order in which it came: it stands below everything else and moves nothing. */
  later: readonly Command[];
  /** Whom is still waited for, or was in vain. */
  note: string | null;
  isOver: boolean;
}

/** What was told of which words. */
export interface Answer extends Told {
  words: string;
}

/** Asks the server while words are typed; shows nothing itself. */
export type Search = FunctionComponent<{
  finders: readonly Finder[];
  words: string;
  onAnswer: (change: (before: Answer) => Answer) => void;
}>;

/** The finders of a program, once they are loaded. */
export interface Finders {
  all: ReadonlySignal<readonly Finder[]>;
  /** Null where no finder asks the server. */
  search: ReadonlySignal<Search | null>;
  load: () => void;
}

/** Finders in a file of their own, which is loaded ahead and at the latest when the palette opens. */
export function lazyFinders(load: () => Promise<{ finders: readonly Finder[]; search?: Search }>): Finders {
  const all = signal<readonly Finder[]>([]);
  const search = signal<Search | null>(null);
  let isAsked = false;
  const start = (): void => {
    if (isAsked) return;
    isAsked = true;
    load().then(
      (loaded) => {
        all.value = loaded.finders.toSorted((a, b) => a.order - b.order);
        search.value = loaded.search ?? null;
      },
      () => {
        isAsked = false;
      },
    );
  };
  loadAhead(start);
  return { all, search, load: start };
}

/** A setting, or a thing in a list: opens its page and shows where it stands there. */
export function placeCommand(
  command: Omit<Command, "run" | "id">,
  to: { address: string; card?: string; row?: string },
): Command {
  return {
    ...command,
    id: `place-${to.address}-${to.card ?? to.row ?? ""}-${command.title}`,
    run: () => {
      navigate(to.address);
      reveal(to);
    },
  };
}

/** Something that a screen offers, such as a dialog to add a thing: opens the screen and asks it for that. */
export function wishCommand(command: Omit<Command, "run" | "id">, to: { address: string; wish: string }): Command {
  return {
    ...command,
    id: `wish-${to.wish}`,
    run: () => {
      navigate(to.address);
      wish(to.wish);
    },
  };
}
