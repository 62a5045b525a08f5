import { Icon } from "../../kit/icon.tsx";
import { Popover } from "../../kit/menu.tsx";
import { Avatar, initials } from "../../kit/status.tsx";
import { LookPanel } from "../../parts/look-panel.tsx";
import { signOut, user } from "../client/session.ts";
import { roleNames } from "../parts/roles.ts";

/** Who is signed in, how the page looks, and the way out. */
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
          aria-label={`${initials(who.display_name)}, account of ${who.display_name} and appearance`}
        >
          <Avatar name={who.display_name} />
        </button>
      )}
    >
      {(close) => (
        <div class="lookmenu">
          <div class="row">
            <Avatar name={who.display_name} />
            <div class="col">
              <b class="cut">{who.display_name}</b>
              <span class="t12 c3 cut">{who.email}</span>
              <span class="t12 c3">{roleNames[who.role]}</span>
            </div>
          </div>
          <LookPanel />
          <div class="links">
            <a href="/profile" onClick={close}>
              <Icon name="user" />
              Profile
            </a>
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
