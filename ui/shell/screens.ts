import { createContext, type FunctionComponent } from "preact";
import type { LazyScreen } from "../client/lazy.ts";
import { matchPath } from "../client/router.ts";
import type { IconName } from "../icons/names.ts";

/** One screen inside the shell. */
export interface Screen {
  id: string;
  /** Path, with `:name` parts. */
  pattern: string;
  title: string;
  icon: IconName;
  /** Screen that this one is a detail of, for the breadcrumbs. */
  parent?: string;
  /** Its entry in the menu; screens without are reached from others. */
  nav?: MenuEntry;
  /** Its place among the tabs of settings, and its name there where that is not the title. */
  tab?: { order: number; label?: string };
  /** False for those who may not open it; left out where everybody may. */
  mayOpen?: () => boolean;
  view: LazyScreen<{ params: Record<string, string> }>;
}

/** How a screen stands in the menu. */
export interface MenuEntry {
  /** Opens it after `g`. */
  key: string;
  group: string;
  /** Its place in the group: the one with the smaller number comes first. */
  order: number;
  /** True for the few that have a place in the bar of phones. */
  onPhones?: boolean;
  /** A small count or warning beside it. */
  badge?: FunctionComponent;
}

/** A part of the menu; the first one needs no heading. */
export interface MenuGroup {
  id: string;
  label: string;
  heading?: boolean;
}

/** The screens of the program, for those inside its frame who list some of them. */
export const ScreensContext = createContext<readonly Screen[]>([]);

/** The screen of an address, with the parts of its pattern; null where there is none. */
export function findScreen(
  screens: readonly Screen[],
  at: string,
): { screen: Screen; params: Record<string, string> } | null {
  for (const screen of screens) {
    const params = matchPath(screen.pattern, at);
    if (params !== null) return { screen, params };
  }
  return null;
}

/** The screens in the menu that whoever is here may open; with `group` those of this part of it. */
export function menuOf(screens: readonly Screen[], group?: string): (Screen & Required<Pick<Screen, "nav">>)[] {
  return screens.flatMap((screen) => {
    const { nav } = screen;
    if (nav === undefined || (group !== undefined && nav.group !== group) || screen.mayOpen?.() === false) return [];
    return [{ ...screen, nav }];
  });
}

/** Starts loading the screen of an address before it is known who is here; the file is needed in nearly every case. */
export function prefetchScreen(screens: readonly Screen[], at: string): void {
  findScreen(screens, at)?.screen.view.prefetch();
}
