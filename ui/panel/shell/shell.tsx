import { Frame } from "../../shell/frame.tsx";
import { signOut, user } from "../client/session.ts";
import { page } from "../features.ts";
import { Account } from "./account.tsx";

const denied = {
  title: "Not for your role",
  text: "Your role in this workspace does not include this page. Ask one of its owners.",
};

/** The frame with the panel's menu and account. */
export function Shell() {
  return (
    <Frame
      page={page}
      place={user.value?.tenant_name ?? "Orrery"}
      denied={denied}
      signOut={signOut}
      foot={<p class="foot">Orrery panel</p>}
      account={<Account />}
    />
  );
}
