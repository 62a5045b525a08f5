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
    change: { require_2fa: boolean } | { record_terminal_sessions: boolean },
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
          {({ require_2fa, record_terminal_sessions }) => (
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
            </>
          )}
        </Loaded>
      </div>
    </Card>
  );
}
