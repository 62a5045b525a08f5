import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { path } from "../client/router.ts";
import { IconButton } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { Content, type Denied } from "./content.tsx";
import { isMac, startKeys } from "./keys.ts";
import { Menu, type MenuBadge, MoreSheet, TabBar } from "./menu.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { findScreen, type MenuGroup, prefetchAll, type Screen } from "./screens.ts";
import { type ShortcutRow, ShortcutSheet } from "./shortcuts.tsx";
import { crumb } from "./title.ts";

/** What a program puts into the frame that both programs share. */
export interface FrameProps {
  screens: readonly Screen[];
  groups: readonly MenuGroup[];
  /** Ids of the screens in the bar of phones. */
  tabs: readonly string[];
  /** Name of the server or workspace: first breadcrumb and end of the title. */
  place: string;
  /** Top and bottom of the sidebar. */
  head: ComponentChildren;
  foot: ComponentChildren;
  badge?: MenuBadge;
  /** Right side of the top bar. */
  tools: ComponentChildren;
  /** Top of the sheet that phones have instead of the sidebar. */
  more?: ComponentChildren;
  denied: Denied;
  keys?: { rows: ShortcutRow[]; actions: Record<string, () => void> };
  palette: (layer: { onClose: () => void; onSheet: () => void }) => ComponentChildren;
}

/** Sidebar, top bar, the screen of the address, and what lies above them. */
export function Frame(props: FrameProps) {
  const { screens, groups, tabs, keys } = props;
  const [layer, setLayer] = useState<"palette" | "keys" | "more" | null>(null);
  const close = (): void => setLayer(null);
  const search = (): void => setLayer("palette");
  useEffect(() => {
    const timer = setTimeout(() => prefetchAll(screens), 2500);
    return () => clearTimeout(timer);
  }, [screens]);
  // Keys work as soon as the page is seen.
  useLayoutEffect(
    () => startKeys({ screens, palette: search, sheet: () => setLayer("keys"), more: keys?.actions ?? {} }),
    [screens],
  );
  return (
    <div class="shell">
      <a class="skip btn" href="#main">
        Skip to content
      </a>
      <aside class="side">
        {props.head}
        {groups.map((group) => (
          <Menu key={group.id} screens={screens} group={group} badge={props.badge} />
        ))}
        {props.foot}
      </aside>
      <div class="frame">
        <TopBar screens={screens} place={props.place} onSearch={search}>
          {props.tools}
        </TopBar>
        <OfflineBar />
        <Content screens={screens} place={props.place} denied={props.denied} />
      </div>
      <TabBar screens={screens} tabs={tabs} onSearch={search} onMore={() => setLayer("more")} />
      {layer === "palette" && props.palette({ onClose: close, onSheet: () => setLayer("keys") })}
      {layer === "more" && (
        <MoreSheet screens={screens} groups={groups} onClose={close}>
          {props.more}
        </MoreSheet>
      )}
      {layer === "keys" && <ShortcutSheet screens={screens} more={keys?.rows} onClose={close} />}
    </div>
  );
}

function TopBar({
  screens,
  place,
  onSearch,
  children,
}: {
  screens: readonly Screen[];
  place: string;
  onSearch: () => void;
  children: ComponentChildren;
}) {
  return (
    <header class="top">
      <Crumbs screens={screens} place={place} />
      <button type="button" class="find" onClick={onSearch}>
        <Icon name="search" />
        Search or run a command
        <kbd class="kbd">{isMac() ? "⌘ K" : "Ctrl K"}</kbd>
      </button>
      <span class="only-sm">
        <IconButton icon="search" label="Search" onClick={onSearch} />
      </span>
      {children}
    </header>
  );
}

function Crumbs({ screens, place }: { screens: readonly Screen[]; place: string }) {
  const screen = findScreen(screens, path.value)?.screen;
  const parent = screens.find((item) => item.id === screen?.parent);
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <a href="/">{place}</a>
      <Icon name="right" />
      {parent !== undefined && (
        <>
          <a href={parent.pattern}>{parent.title}</a>
          <Icon name="right" />
        </>
      )}
      <b class="cut" aria-current="page">
        {crumb.value ?? screen?.title ?? "Not found"}
      </b>
    </nav>
  );
}

/** The frame of the page at its final size, so that nothing jumps when the first answer comes. */
export function Waiting() {
  return (
    <div class="shell waiting" aria-busy="true">
      <aside class="side" />
      <div class="frame">
        <header class="top" />
        <main class="main" />
      </div>
    </div>
  );
}

/** In place of everything while the program behind the page does not answer. */
export function Unreachable() {
  return (
    <main class="gatepage">
      <OfflineBar />
      <div class="empty middle">
        <h1 class="t18">This server does not answer</h1>
        <p>The page is here, but the server behind it is not. It may be starting. This page keeps trying.</p>
      </div>
    </main>
  );
}
