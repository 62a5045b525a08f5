import type { ComponentChildren } from "preact";
import { path } from "../client/router.ts";
import { Dialog } from "../kit/dialog.tsx";
import { Icon } from "../kit/icon.tsx";
import { type MenuGroup, menuOf, type Screen } from "./screens.ts";

function isCurrent(pattern: string): boolean {
  if (pattern === "/") return path.value === "/";
  return path.value === pattern || path.value.startsWith(`${pattern}/`);
}

interface MenuProps {
  screens: readonly Screen[];
  group: MenuGroup;
  badges?: boolean;
  onOpen?: () => void;
}

/** One part of the menu, with its links. */
export function Menu({ screens, group, badges = false, onOpen }: MenuProps) {
  const entries = menuOf(screens, group.id);
  if (entries.length === 0) return null;
  return (
    <nav class="nav" aria-label={group.label}>
      {group.heading === true && <h2>{group.label}</h2>}
      {entries.map((screen) => (
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
          {badges && screen.nav.badge !== undefined && <screen.nav.badge />}
        </a>
      ))}
    </nav>
  );
}

/** The whole menu on phones, which have no room for it beside the page. */
export function MoreSheet({
  screens,
  groups,
  onClose,
  children,
}: {
  screens: readonly Screen[];
  groups: readonly MenuGroup[];
  onClose: () => void;
  children?: ComponentChildren;
}) {
  return (
    <Dialog title="Go to" onClose={onClose} width="sm">
      <div class="moresheet">
        {children}
        {groups.map((group) => (
          <Menu key={group.id} screens={screens} group={{ ...group, heading: true }} onOpen={onClose} />
        ))}
      </div>
    </Dialog>
  );
}

/** The menu of phones: what people open most, the search, and the way to everything else. */
export function TabBar({
  screens,
  onSearch,
  onMore,
}: {
  screens: readonly Screen[];
  onSearch: () => void;
  onMore: () => void;
}) {
  return (
    <nav class="tabbar" aria-label="Main">
      {menuOf(screens)
        .filter((screen) => screen.nav.onPhones === true)
        .map((screen) => (
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
