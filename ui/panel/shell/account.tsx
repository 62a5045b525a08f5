import { AccountMenu } from "../../shell/account-menu.tsx";
import { signOut, user } from "../client/session.ts";
import { page } from "../features.ts";
import { roleNames } from "../people/team/roles.ts";

/** Who is signed in, how the page looks, and the way out. */
export function Account() {
  const who = user.value;
  if (!who) return null;
  return (
    <AccountMenu
      name={who.display_name}
      detail={who.email}
      role={roleNames[who.role]}
      entries={page.account}
      onSignOut={() => void signOut()}
    />
  );
}
