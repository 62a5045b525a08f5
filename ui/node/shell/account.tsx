import { Icon } from "../../kit/icon.tsx";
import { AccountMenu } from "../../shell/account-menu.tsx";
import { lockSession, signOut, user } from "../client/session.ts";

/** Who is signed in, how the page looks, and the ways out. */
export function Account() {
  const who = user.value;
  if (!who) return null;
  return (
    <AccountMenu
      name={who.username}
      role={roleNames[who.role]}
      picture={who.avatar_url}
      onSignOut={() => void signOut()}
    >
      {(close) => (
        <>
          <a href="/security" onClick={close}>
            <Icon name="shield" />
            Security
          </a>
          <a href="/news" onClick={close}>
            <Icon name="star" />
            What is new
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
        </>
      )}
    </AccountMenu>
  );
}

const roleNames = { admin: "Administrator", member: "Member", viewer: "Viewer" };
