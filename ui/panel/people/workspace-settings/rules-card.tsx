import { useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { Card } from "../../../kit/card.tsx";
import { Switch } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { updateUser } from "../../client/session.ts";

/** What the workspace asks of its members. */
export function RulesCard() {
  const settings = useResource("GET /api/v1/workspace/settings");
  const [isBusy, setBusy] = useState(false);
  const choose = async (
    change: Partial<Record<"require_2fa" | "record_terminal_sessions" | "agent_auto_update", boolean>>,
    words: string,
  ): Promise<void> => {
    setBusy(true);
    try {
      const next = await api("PUT /api/v1/workspace/settings", { body: change });
      settings.set(() => next);
      toast(words);
      // It holds for whoever chose it too.
      updateUser(await api("GET /api/auth/me"));
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      await settings.refresh();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title="Rules" class="start" w={6}>
      <div class="card-b stack">
        <Loaded of={settings} what="Rules">
          {({ require_2fa, record_terminal_sessions, agent_auto_update, platform, hindered }) => (
            <>
              <Switch
                checked={require_2fa}
                disabled={isBusy || !may("settings:write", { ownRole: true })}
                onChecked={(next) =>
                  void choose(
                    { require_2fa: next },
                    next ? "Everybody here needs a second factor now." : "A passphrase alone is enough now.",
                  )
                }
                sub="Members without a key or an app get no further than adding one. An owner needs one before this can be on."
              >
                Everybody needs a second factor
              </Switch>
              <Switch
                checked={record_terminal_sessions}
                disabled={isBusy || !may("settings:write", { ownRole: true })}
                onChecked={(next) =>
                  void choose(
                    { record_terminal_sessions: next },
                    next
                      ? "Terminals that are opened from now on are recorded."
                      : "Terminals are not recorded any more.",
                  )
                }
                sub="What they show is kept for 90 days, sealed; what is typed is not. Where it cannot be recorded, no terminal opens."
              >
                Terminals are recorded
              </Switch>
              <UpdateSwitch
                checked={agent_auto_update ?? platform.agent_auto_update}
                hindrance={hindered.find(({ rule }) => rule === "agent_auto_update")?.reason ?? null}
                isBusy={isBusy}
                choose={(next) =>
                  void choose(
                    { agent_auto_update: next },
                    next
                      ? "New releases go to your servers by themselves now."
                      : "Servers wait for somebody to update them.",
                  )
                }
              />
            </>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

/** Whether servers get new releases without somebody asking; with what keeps that from working, if anything. */
function UpdateSwitch({
  checked,
  hindrance,
  isBusy,
  choose,
}: {
  checked: boolean;
  hindrance: string | null;
  isBusy: boolean;
  choose: (next: boolean) => void;
}) {
  const mayChange = may("settings:write", { ownRole: true }) && (hindrance === null || checked);
  return (
    <Switch
      checked={checked}
      disabled={isBusy || !mayChange}
      onChecked={choose}
      sub={
        hindrance ??
        "A new release goes out as a rollout: to 1, 10, 50 and then all of 100 servers, each stage watched for 15 minutes. One that does harm stops, and you are told."
      }
    >
      Servers update by themselves
    </Switch>
  );
}
