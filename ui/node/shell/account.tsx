import { Icon } from "../../kit/icon.tsx";
import { Popover } from "../../kit/menu.tsx";
import { Avatar, initials } from "../../kit/status.tsx";
import { LookPanel } from "../../parts/look-panel.tsx";
import { lockSession, signOut, user } from "../client/session.ts";

/** Who is signed in, how the page looks, and the ways out. */
export function Account() {
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
