import { duration } from "../../client/format.ts";
import { resource } from "../../client/resource.ts";
import { path } from "../../client/router.ts";
import { isAdmin, lockInfo } from "../../client/session.ts";
import { Icon } from "../../kit/icon.tsx";
import { Badge } from "../../kit/status.tsx";
import { screens } from "../screens.ts";

function isCurrent(pattern: string): boolean {
  if (pattern === "/") return path.value === "/";
  return path.value === pattern || path.value.startsWith(`${pattern}/`);
}

/** The menu: 232 px, a rail of 56 px from 900 px down. */
export function Sidebar() {
  const info = lockInfo.value;
  return (
    <aside class="side">
      <a class="who" href="/">
        <Icon name="mark" />
        <b class="cut">{info?.hostname ?? "Orrery"}</b>
      </a>
      <NavGroup group="main" label="Main" />
      <NavGroup group="manage" label="Manage" heading />
      {info !== null && (
        <p class="foot">
          <span>Orrery {info.version}</span>
          <span>Up {duration(info.uptime_seconds)}</span>
        </p>
      )}
    </aside>
  );
}

function NavGroup({ group, label, heading = false }: { group: "main" | "manage"; label: string; heading?: boolean }) {
  return (
    <nav class="nav" aria-label={label}>
      {heading && <h2>{label}</h2>}
      {screens
        .filter((screen) => screen.nav?.group === group && (screen.nav.admin !== true || isAdmin()))
        .map((screen) => (
          <a
            key={screen.id}
            href={screen.pattern}
            aria-current={isCurrent(screen.pattern) ? "page" : undefined}
            onPointerEnter={screen.view.prefetch}
            onFocus={screen.view.prefetch}
          >
            <Icon name={screen.icon} />
            <span>{screen.title}</span>
            {screen.id === "apps" && <AppCount />}
          </a>
        ))}
    </nav>
  );
}

function AppCount() {
  const apps = resource("GET /api/apps").data.value ?? [];
  const broken = apps.filter((app) => app.status === "error").length;
  if (broken > 0) return <Badge tone="crit">{broken}</Badge>;
  return apps.length === 0 ? null : <Badge>{apps.length}</Badge>;
}

/** The menu of phones. */
export function TabBar({ onSearch }: { onSearch: () => void }) {
  const tabs = screens.filter((screen) => ["home", "apps", "store"].includes(screen.id));
  const settings = screens.find((screen) => screen.id === "settings");
  const inSettings = ["/settings", "/profile", "/security", "/users", "/audit"].some(isCurrent);
  return (
    <nav class="tabbar" aria-label="Main">
      {tabs.map((screen) => (
        <a key={screen.id} href={screen.pattern} aria-current={isCurrent(screen.pattern) ? "page" : undefined}>
          <Icon name={screen.icon} />
          {screen.title}
        </a>
      ))}
      <button type="button" onClick={onSearch}>
        <Icon name="search" />
        Search
      </button>
      <a href={settings?.pattern ?? "/settings"} aria-current={inSettings ? "page" : undefined}>
        <Icon name="settings" />
        Settings
      </a>
    </nav>
  );
}
