import { Icon } from "../kit/icon.tsx";
import { Popover } from "../kit/menu.tsx";
import { Avatar, initials } from "../kit/status.tsx";
import { LookPanel } from "../parts/look-panel.tsx";
import type { AccountEntry } from "./feature.ts";

interface AccountMenuProps {
  name: string;
  /** Under the name, such as the address. */
  detail?: string;
  role: string;
  picture?: string | null;
  onSignOut: () => void;
  /** More ways on, between the profile and the way out. */
  entries: readonly AccountEntry[];
}

/** Who is signed in, how the page looks, and the way out. */
export function AccountMenu({ name, detail, role, picture = null, entries, onSignOut }: AccountMenuProps) {
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
            {entries.map((entry) => (
              <Entry key={entry.title} entry={entry} close={close} />
            ))}
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

function Entry({ entry: { title, icon, to }, close }: { entry: AccountEntry; close: () => void }) {
  const inside = (
    <>
      <Icon name={icon} />
      {title}
    </>
  );
  if (typeof to === "string") {
    return (
      <a href={to} onClick={close}>
        {inside}
      </a>
    );
  }
  return (
    <button
      type="button"
      onClick={() => {
        close();
        to();
      }}
    >
      {inside}
    </button>
  );
}
