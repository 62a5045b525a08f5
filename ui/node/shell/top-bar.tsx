import { matchPath, path } from "../../client/router.ts";
import { lockInfo, lockSession, signOut, user } from "../../client/session.ts";
import { IconButton } from "../../kit/button.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Popover } from "../../kit/menu.tsx";
import { Avatar, initials } from "../../kit/status.tsx";
import { LookPanel } from "../parts/look-panel.tsx";
import { screens } from "../screens.ts";
import { Inbox } from "./inbox.tsx";
import { OperationsTray } from "./operations-tray.tsx";
import { crumb } from "./title.ts";

/** True on Apple keyboards, where the command key opens the palette. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Where you are, search, running work, and you. */
export function TopBar({ onSearch }: { onSearch: () => void }) {
  return (
    <header class="top">
      <Crumbs />
      <button type="button" class="find" onClick={onSearch}>
        <Icon name="search" />
        Search or run a command
        <kbd class="kbd">{isMac() ? "⌘ K" : "Ctrl K"}</kbd>
      </button>
      <OperationsTray />
      <span class="only-sm">
        <IconButton icon="search" label="Search" onClick={onSearch} />
      </span>
      <Inbox />
      <Account />
    </header>
  );
}

function Crumbs() {
  const screen = screens.find((item) => matchPath(item.pattern, path.value) !== null);
  const parent = screen?.id === "app" ? screens.find((item) => item.id === "apps") : undefined;
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <a href="/">{lockInfo.value?.hostname ?? "Orrery"}</a>
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

function Account() {
  const who = user.value;
  if (!who) return null;
  return (
    <Popover
      role="dialog"
      label="Account and appearance"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          class="account"
          aria-label={`${initials(who.username)}, account of ${who.username} and appearance`}
        >
          <Avatar name={who.username} url={who.avatar_url} />
        </button>
      )}
    >
      {(close) => (
        <div class="lookmenu">
          <div class="row">
            <Avatar name={who.username} url={who.avatar_url} />
            <div class="col">
              <b class="cut">{who.username}</b>
              <span class="t12 c3">{roleNames[who.role]}</span>
            </div>
          </div>
          <LookPanel />
          <div class="links">
            <a href="/profile" onClick={close}>
              <Icon name="user" />
              Profile
            </a>
            <a href="/security" onClick={close}>
              <Icon name="shield" />
              Security
            </a>
            <button
              type="button"
              onClick={() => {
                close();
                void lockSession();
              }}
            >
              <Icon name="lock" />
              Lock
            </button>
            <button type="button" onClick={() => void signOut()}>
              <Icon name="logout" />
              Sign out
            </button>
          </div>
        </div>
      )}
    </Popover>
  );
}

const roleNames = { admin: "Administrator", member: "Member", viewer: "Viewer" };
