import { asProblem } from "../../../client/problem.ts";
import { Card } from "../../../kit/card.tsx";
import { Segmented, Switch } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import type { WorkspaceSettings } from "../../client/types.ts";

type Updates = "platform" | "on" | "off";
const updates: { value: Updates; label: string }[] = [
  { value: "platform", label: "As the platform" },
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
];

/** What holds for everybody and every node of the workspace. Only its own owners and admins change it. */
export function RulesCard() {
  const settings = useResource("GET /api/v1/workspace/settings");
  const mayChange = may("settings:write", { ownRole: true });
  const change = async (part: Partial<WorkspaceSettings>): Promise<void> => {
    settings.set((now) => (now === null ? null : { ...now, ...part }));
    try {
      const next = await api("PUT /api/v1/workspace/settings", { body: part });
      settings.set(() => next);
      toast("Saved.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      void settings.refresh();
    }
  };
  return (
    <Card title="Rules" aside={mayChange ? undefined : "owners and admins change these"} w={6}>
      <div class="card-b stack">
        <Loaded of={settings} what="Rules">
          {(now) => (
            <>
              <Switch
                checked={now.require_2fa}
                disabled={!mayChange}
                sub="Holds from the moment one of the owners has a second factor."
                onChecked={(require_2fa) => void change({ require_2fa })}
              >
                Everybody needs a second factor
              </Switch>
              <Switch
                checked={now.record_terminal_sessions}
                disabled={!mayChange}
                sub="Whoever opens one is told."
                onChecked={(record_terminal_sessions) => void change({ record_terminal_sessions })}
              >
                Record terminal sessions
              </Switch>
              <div class="field">
                <span class="label">Nodes update themselves</span>
                {mayChange ? (
                  <Segmented
                    label="Nodes update themselves"
                    size="wide"
                    value={fromWire(now.agent_auto_update)}
                    options={updates}
                    onValue={(value) => void change({ agent_auto_update: toWire(value) })}
                  />
                ) : (
                  <p class="c2">{updates.find(({ value }) => value === fromWire(now.agent_auto_update))?.label}</p>
                )}
              </div>
            </>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

function fromWire(value: boolean | null): Updates {
  if (value === null) return "platform";
  return value ? "on" : "off";
}

function toWire(value: Updates): boolean | null {
  return value === "platform" ? null : value === "on";
}
