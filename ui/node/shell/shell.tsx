import { duration } from "../../client/format.ts";
import { Icon } from "../../kit/icon.tsx";
import { Badge } from "../../kit/status.tsx";
import { Frame } from "../../shell/frame.tsx";
import { resource, useResource } from "../client/resource.ts";
import { lockInfo, lockSession } from "../client/session.ts";
import { OperationsTray } from "../platform/operations/operations-tray.tsx";
import { Inbox } from "../platform/timeline/inbox.tsx";
import { groups, screens } from "../screens.ts";
import { Account } from "./account.tsx";
import { Palette } from "./palette.tsx";

const denied = {
  title: "Needs an administrator",
  text: "Your account may not see this page. Ask an administrator of this server.",
};
const keys = {
  rows: [{ keys: ["Shift", "L"], what: "Lock" }],
  actions: { L: () => void lockSession() },
};

/** The frame with this node's menu, running work, inbox and account. */
export function Shell() {
  useResource("GET /api/apps");
  const info = lockInfo.value;
  return (
    <Frame
      screens={screens}
      groups={groups}
      tabs={["home", "apps", "metrics"]}
      place={info?.hostname ?? "Orrery"}
      denied={denied}
      keys={keys}
      badge={(id) => id === "apps" && <AppCount />}
      palette={(layer) => <Palette {...layer} />}
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
      tools={
        <>
          <OperationsTray />
          <Inbox />
          <Account />
        </>
      }
    />
  );
}

function AppCount() {
  const apps = resource("GET /api/apps").data.value ?? [];
  const broken = apps.filter((app) => app.status === "error").length;
  if (broken > 0) return <Badge tone="crit">{broken}</Badge>;
  return apps.length === 0 ? null : <Badge>{apps.length}</Badge>;
}
