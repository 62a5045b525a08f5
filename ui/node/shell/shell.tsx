import { duration } from "../../client/format.ts";
import { Icon } from "../../kit/icon.tsx";
import { AccountMenu } from "../../shell/account-menu.tsx";
import { lazyFinders } from "../../shell/finder.ts";
import { Frame } from "../../shell/frame.tsx";
import { lockInfo, signOut, user } from "../client/session.ts";
import { page } from "../features.ts";

const finders = lazyFinders(() => import("../finders.ts"));

const denied = {
  title: "Needs an administrator",
  text: "Your account may not see this page. Ask an administrator of this server.",
};

/** The frame with this node's name, version and account. */
export function Shell() {
  const info = lockInfo.value;
  return (
    <Frame
      page={page}
      finders={finders}
      place={info?.hostname ?? "Orrery"}
      denied={denied}
      person={user.value?.id ?? ""}
      signOut={signOut}
      head={
        <a class="who" href="/">
          <Icon name="mark" />
          <b class="cut">{info?.hostname ?? "Orrery"}</b>
        </a>
      }
      foot={
        info !== null && (
          <p class="foot">
            <span>Orrery {info.version}</span>
            <span>Up {duration(info.uptime_seconds)}</span>
          </p>
        )
      }
      account={<Account />}
    />
  );
}

/** Who is signed in, how the page looks, and the ways out. */
function Account() {
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
