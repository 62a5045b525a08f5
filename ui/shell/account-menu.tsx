import type { ComponentChildren } from "preact";
import { Icon } from "../kit/icon.tsx";
import { Popover } from "../kit/menu.tsx";
import { Avatar, initials } from "../kit/status.tsx";
import { LookPanel } from "../parts/look-panel.tsx";

interface AccountMenuProps {
  name: string;
  /** Under the name, such as the address. */
  detail?: string;
  role: string;
  picture?: string | null;
  onSignOut: () => void;
  /** More ways on, between the profile and the way out. */
  children?: (close: () => void) => ComponentChildren;
}

/** Who is signed in, how the page looks, and the way out. */
export function AccountMenu({ name, detail, role, picture = null, onSignOut, children }: AccountMenuProps) {
  return (
    <Popover
      role="dialog"
      label="Account and appearance"
      trigger={(props) => (
        <button
          type="button"
          {...props}
          class="account"
          aria-label={`${initials(name)}, account of ${name} and appearance`}
        >
          <Avatar name={name} url={picture} />
        </button>
      )}
    >
      {(close) => (
        <div class="lookmenu">
          <div class="row">
            <Avatar name={name} url={picture} />
            <div class="col">
              <b class="cut">{name}</b>
              {detail !== undefined && <span class="t12 c3 cut">{detail}</span>}
              <span class="t12 c3">{role}</span>
            </div>
          </div>
          <LookPanel />
          <div class="links">
            <a href="/profile" onClick={close}>
              <Icon name="user" />
              Profile
            </a>
            {children?.(close)}
            <button type="button" onClick={onSignOut}>
              <Icon name="logout" />
              Sign out
            </button>
          </div>
        </div>
      )}
    </Popover>
  );
}
