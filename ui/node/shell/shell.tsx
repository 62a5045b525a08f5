import { duration } from "../../client/format.ts";
import { Icon } from "../../kit/icon.tsx";
import { Frame } from "../../shell/frame.tsx";
import { lockInfo, signOut } from "../client/session.ts";
import { page } from "../features.ts";
import { Account } from "./account.tsx";

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
      place={info?.hostname ?? "Orrery"}
      denied={denied}
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
