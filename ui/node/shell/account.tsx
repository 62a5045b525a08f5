import { AccountMenu } from "../../shell/account-menu.tsx";
import { signOut, user } from "../client/session.ts";
import { page } from "../features.ts";

/** Who is signed in, how the page looks, and the ways out. */
export function Account() {
  const who = user.value;
  if (!who) return null;
  return (
    <AccountMenu
      name={who.username}
      role={roleNames[who.role]}
      picture={who.avatar_url}
      entries={page.account}
      onSignOut={() => void signOut()}
    />
  );
}

const roleNames = { admin: "Administrator", member: "Member", viewer: "Viewer" };
