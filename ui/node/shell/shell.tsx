import { useComputed } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { useResource } from "../../client/resource.ts";
import { matchPath, path } from "../../client/router.ts";
import { isAdmin, lockInfo } from "../../client/session.ts";
import { LinkButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/card.tsx";
import { prefetchAll, screens } from "../screens.ts";
import { startKeys } from "./keys.ts";
import { MoreSheet } from "./more-sheet.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { Palette } from "./palette.tsx";
import { ShortcutSheet } from "./shortcuts.tsx";
import { Sidebar, TabBar } from "./sidebar.tsx";
import { crumb } from "./title.ts";
import { TopBar } from "./top-bar.tsx";

/** Sidebar, top bar, the screen of the address, and what lies above them. */
export function Shell() {
  const [layer, setLayer] = useState<"palette" | "keys" | "more" | null>(null);
  useResource("GET /api/apps");
  useEffect(() => {
    const timer = setTimeout(prefetchAll, 2500);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => startKeys({ palette: () => setLayer("palette"), sheet: () => setLayer("keys") }), []);
  return (
    <div class="shell">
      <a class="skip btn" href="#main">
        Skip to content
      </a>
      <Sidebar />
      <div class="frame">
        <TopBar onSearch={() => setLayer("palette")} />
        <OfflineBar />
        <Content />
      </div>
      <TabBar onSearch={() => setLayer("palette")} onMore={() => setLayer("more")} />
      {layer === "palette" && <Palette onClose={() => setLayer(null)} onSheet={() => setLayer("keys")} />}
      {layer === "more" && <MoreSheet onClose={() => setLayer(null)} />}
      {layer === "keys" && <ShortcutSheet onClose={() => setLayer(null)} />}
    </div>
  );
}

function Content() {
  const found = useComputed(() => {
    for (const screen of screens) {
      const params = matchPath(screen.pattern, path.value);
      if (params !== null) return { screen, params };
    }
    return null;
  }).value;
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const at = path.value;

  useEffect(() => {
    // After a change of page the focus goes to its start, as on a page load; not on the first one.
    if (!first.current && at !== "") main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [at]);
  useEffect(() => {
    const title = crumb.value ?? found?.screen.title ?? "Not found";
    document.title = `${title}, ${lockInfo.value?.hostname ?? "Orrery"}`;
  });
  const allowed = found === null || found.screen.nav?.admin !== true || isAdmin();
  const View = found?.screen.view;
  return (
    <main class="main" id="main" tabIndex={-1} ref={main}>
      {View !== undefined && allowed && <View key={at} params={found?.params ?? {}} />}
      {View !== undefined && !allowed && (
        <EmptyState page title="Needs an administrator" action={<LinkButton href="/">Go home</LinkButton>}>
          Your account may not see this page. Ask an administrator of this server.
        </EmptyState>
      )}
      {View === undefined && (
        <EmptyState page title="Nothing orbits here" action={<LinkButton href="/">Go home</LinkButton>}>
          There is no page at this address. It may have moved or never existed.
        </EmptyState>
      )}
    </main>
  );
}
