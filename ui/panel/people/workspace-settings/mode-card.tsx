import { asProblem } from "../../../client/problem.ts";
import { Card } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { updateUser } from "../../client/session.ts";
import type { Mode } from "../../client/types.ts";
import { ModeChoice, modes } from "./mode-choice.tsx";

/** What the workspace is for. */
export function ModeCard() {
  const state = useResource("GET /api/v1/workspace/mode");
  const choose = async (mode: Mode): Promise<void> => {
    state.set(() => ({ mode, chosen: true }));
    try {
      await api("PUT /api/v1/workspace/mode", { body: { mode } });
      toast(`For ${modes.find(({ value }) => value === mode)?.label.toLowerCase()} now.`);
      updateUser(await api("GET /api/auth/me"));
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      void state.refresh();
    }
  };
  return (
    <Card title="Workspace" w={6}>
      <div class="card-b">
        <Loaded of={state} what="Mode">
          {({ mode }) => (
            <ModeChoice
              value={mode}
              disabled={!may("settings:write", { ownRole: true })}
              onValue={(next) => void choose(next)}
            />
          )}
        </Loaded>
      </div>
    </Card>
  );
}
