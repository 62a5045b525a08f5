import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { prefetchAll } from "../client/ahead.ts";
import { path } from "../client/router.ts";
import { IconButton } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { Content, type Denied } from "./content.tsx";
import type { Page } from "./feature.ts";
import type { Finders } from "./finder.ts";
import { isMac, pageKeys, sheetOf, startKeys } from "./keys.ts";
import { Menu, MoreSheet, TabBar } from "./menu.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { Palette } from "./palette.tsx";
import { findScreen, type Screen, ScreensContext } from "./screens.ts";
import { ShortcutSheet } from "./shortcuts.tsx";
import { crumb } from "./title.ts";

/** What a program puts into the frame that both programs share. */
export interface FrameProps {
  page: Page;
  /** What the palette finds beside pages and commands. */
  finders: Finders;
  /** Name of the server or workspace: first breadcrumb and end of the title. */
  place: string;
  /** Top and bottom of the sidebar; what features put at its top has its place after this. */
  head?: ComponentChildren;
  foot: ComponentChildren;
  /** At the end of the top bar. */
  account: ComponentChildren;
  denied: Denied;
  /** Who is here, and in which workspace: what they opened last is theirs alone. */
  person: string;
  signOut: () => Promise<void>;
}

/** Sidebar, top bar, the screen of the address, and what lies above them. */
export function Frame(props: FrameProps) {
  const { screens, groups, commands, tools, partKeys } = props.page;
  const [layer, setLayer] = useState<"palette" | "keys" | "more" | null>(null);
  const close = (): void => setLayer(null);
  const search = (): void => setLayer("palette");
  const keys = useMemo(
    () => pageKeys({ palette: search, sheet: () => setLayer("keys") }, props.page.keys),
    [props.page.keys],
  );
  useEffect(() => {
    const timer = setTimeout(prefetchAll, 1000);
    return () => clearTimeout(timer);
  }, []);
  const menus = useRef<HTMLDivElement>(null);
  const at = path.value;
  // In a low window the menu's entry of this page may lie out of sight.
  useEffect(() => menus.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [at]);
  // Keys work as soon as the page is seen.
  useLayoutEffect(() => startKeys(keys, screens), [keys, screens]);
  return (
    <ScreensContext.Provider value={screens}>
      <div class="shell">
        <a class="skip btn" href="#main">
          Skip to content
        </a>
        <aside class="side">
          {props.head}
          <Heads page={props.page} />
          <div class="navs" ref={menus}>
            {groups.map((group) => (
              <Menu key={group.id} screens={screens} group={group} badges />
            ))}
          </div>
          {props.foot}
        </aside>
        <div class="frame">
          <TopBar screens={screens} place={props.place} onSearch={search}>
            {tools.map(({ view: Tool, order }) => (
              <Tool key={order} />
            ))}
            {props.account}
          </TopBar>
          <OfflineBar />
          <Content screens={screens} place={props.place} denied={props.denied} />
        </div>
        <TabBar screens={screens} onSearch={search} onMore={() => setLayer("more")} />
        {layer === "palette" && (
          <Palette
            screens={screens}
            sources={commands}
            finders={props.finders}
            person={props.person}
            signOut={props.signOut}
            onClose={close}
            onSheet={() => setLayer("keys")}
          />
        )}
        {layer === "more" && (
          <MoreSheet screens={screens} groups={groups} onClose={close}>
            <Heads page={props.page} />
          </MoreSheet>
        )}
        {layer === "keys" && <ShortcutSheet groups={sheetOf(keys, screens, partKeys)} onClose={close} />}
      </div>
    </ScreensContext.Provider>
  );
}

/** What features put above the menu, and above the sheet that phones have instead of it. */
function Heads({ page }: { page: Page }) {
  return (
    <>
      {page.heads.map((Head, index) => (
        <Head key={index} />
      ))}
    </>
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
        <span class="cut">Search or run a command</span>
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
      <a class="cut" href="/">
        {place}
      </a>
      <Icon name="right" />
      {parent !== undefined && (
        <>
          <a class="cut" href={parent.pattern}>
            {parent.title}
          </a>
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
