import { duration } from "../../client/format.ts";
import { resource } from "../../client/resource.ts";
import { path } from "../../client/router.ts";
import { isAdmin, lockInfo } from "../../client/session.ts";
import { Icon } from "../../kit/icon.tsx";
import { Badge } from "../../kit/status.tsx";
import { menuOf, type NavGroup, screens } from "../screens.ts";

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
      <Menu group="main" label="Main" />
      <Menu group="watch" label="Watch" heading />
      <Menu group="manage" label="Manage" heading />
      {info !== null && (
        <p class="foot">
          <span>Orrery {info.version}</span>
          <span>Up {duration(info.uptime_seconds)}</span>
        </p>
      )}
    </aside>
  );
}

interface MenuProps {
  group: NavGroup;
  label: string;
  heading?: boolean;
  onOpen?: () => void;
}

/** One part of the menu, with its links. */
export function Menu({ group, label, heading = false, onOpen }: MenuProps) {
  return (
    <nav class="nav" aria-label={label}>
      {heading && <h2>{label}</h2>}
      {menuOf(group, isAdmin()).map((screen) => (
        <a
          key={screen.id}
          href={screen.pattern}
          aria-current={isCurrent(screen.pattern) ? "page" : undefined}
          onPointerEnter={screen.view.prefetch}
          onFocus={screen.view.prefetch}
          onClick={onOpen}
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

const TABS = ["home", "apps", "metrics"];

/** The menu of phones: what people open most, the search, and the way to everything else. */
export function TabBar({ onSearch, onMore }: { onSearch: () => void; onMore: () => void }) {
  const tabs = screens.filter((screen) => TABS.includes(screen.id));
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
      <button type="button" aria-haspopup="dialog" onClick={onMore}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}
