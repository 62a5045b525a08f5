import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { PanelStatus } from "../../../../src/node/panel-link/panel-link/contract.ts";
import { moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import type { Resource } from "../../../client/resource.ts";
import type { IconName } from "../../../icons/names.ts";
import { Banner, Card } from "../../../kit/card.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { ConnectForm } from "./connect-form.tsx";
import { LinkCard } from "./link-card.tsx";
import { clockWords, isLinked, peopleWords, plans } from "./words.ts";

const refreshMs = 3_000;

/** The panel that this server belongs to: connecting, how it stands, leaving. */
export function PanelScreen() {
  const status = useResource("GET /api/cp/status", { everyMs: refreshMs });
  return (
    <div class="page">
      <header class="head">
        <h1>Panel</h1>
      </header>
      <SettingsTabs />
      <Loaded of={status} what="The panel">
        {(data) => <Standing data={data} of={status} />}
      </Loaded>
    </div>
  );
}

function Standing({ data, of }: { data: PanelStatus; of: Resource<PanelStatus> }) {
  const clock = clockWords(data.clock_ahead_seconds);
  return (
    <div class="stack">
      {data.last_error !== null && <Banner state={isLinked(data) ? "warn" : "crit"}>{data.last_error}</Banner>}
      {clock !== null && <Banner state="warn">{clock}</Banner>}
      {data.certificate_ends_soon && data.certificate_expires_at !== null && (
        <Banner state="warn">
          The certificate ends on {moment(data.certificate_expires_at)} and could not be renewed yet. Bring the panel
          back before that, or this server needs a new token.
        </Banner>
      )}
      <div class="grid12">
        {isLinked(data) ? (
          <LinkCard status={data} onChanged={of.refresh} />
        ) : (
          <Card title={data.phase === "none" ? "Connect to a panel" : "Connect again"} w={7}>
            <div class="card-b stack">
              <p class="c2">
                A panel shows all your servers in one place. This one keeps working by itself when the panel is away.
              </p>
              {data.people > 0 && <p class="c2">With another panel or workspace: {peopleWords(data.people)}</p>}
              <ConnectForm onConnected={of.refresh} />
            </div>
          </Card>
        )}
        <Rights plan={plans[data.plan]} isFromPanel={data.plan_from === "panel"} />
      </div>
    </div>
  );
}

/** What a panel learns and may do, said before anybody connects. */
function Rights({ plan, isFromPanel }: { plan: string; isFromPanel: boolean }) {
  return (
    <Card title="What a panel gets" w={5}>
      <div class="card-b stack">
        <ul class="rights c2">
          <Right icon="eye">
            It sees how full and busy this server is, its hardware, addresses and apps, and reads their logs and the
            system’s. Not what is in the apps.
          </Right>
          <Right icon="apps">It can start, stop, restart and update apps. Every command is in the audit log.</Right>
          <Right icon="code">
            It can run only the programs that this server’s configuration names; none unless you list some.
          </Right>
          <Right icon="terminal">
            Its owners and admins can open terminals only while you let them: in apps, and of the server itself where
            its own terminal is on. Each is in the audit log.
          </Right>
          <TerminalSwitch />
          <Right icon="card">
            It decides the plan: {plan} now, {isFromPanel ? "by its license" : "by this server’s own configuration"}.
          </Right>
        </ul>
      </div>
    </Card>
  );
}

const KEY = "panel.terminals";

/** Off until somebody here says otherwise. */
function TerminalSwitch() {
  const settings = useResource("GET /api/settings");
  const isOn = settings.data.value?.find(({ key }) => key === KEY)?.value === "true";
  const [isBusy, setBusy] = useState(false);
  const change = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await api("PUT /api/settings/{key}", { path: { key: KEY }, body: { value: String(next) } });
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await settings.refresh();
    setBusy(false);
  };
  return (
    <li class="choice">
      <Checkbox
        checked={isOn}
        disabled={isBusy || settings.data.value === null}
        onChecked={(next) => void change(next)}
      >
        Terminals from the panel
      </Checkbox>
    </li>
  );
}

function Right({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}
