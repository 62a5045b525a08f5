import { AccountMenu } from "../../shell/account-menu.tsx";
import { useDuties } from "../../shell/feature.ts";
import { lazyFinders } from "../../shell/finder.ts";
import { Frame } from "../../shell/frame.tsx";
import { signOut, user } from "../client/session.ts";
import { page } from "../features.ts";
import { roleNames } from "../parts/roles.ts";

const finders = lazyFinders(() => import("../finders.ts"));

const denied = {
  title: "Not for your role",
  text: "Your role in this workspace does not include this page. Ask one of its owners.",
};

/** The frame with the panel's menu and account, and what features ask over it. */
export function Shell() {
  useDuties(page);
  return (
    <>
      <Frame
        page={page}
        finders={finders}
        place={user.value?.tenant_name ?? "Orrery"}
        denied={denied}
        person={`${user.value?.id}/${user.value?.tenant_id}`}
        signOut={signOut}
        foot={<p class="foot">Orrery panel</p>}
        account={<Account />}
      />
      {page.prompts.map((Prompt, index) => (
        <Prompt key={index} />
      ))}
    </>
  );
}

/** Who is signed in, how the page looks, and the way out. */
function Account() {
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
