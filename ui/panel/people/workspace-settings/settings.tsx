import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { LookPanel } from "../../../parts/look-panel.tsx";
import { user } from "../../client/session.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { ModeCard } from "./mode-card.tsx";
import { RulesCard } from "./rules-card.tsx";

/** What holds in this workspace, how the page looks on this device, and the way out of the workspace. */
export function Settings() {
  const [isLeaving, setLeaving] = useState(false);
  const name = user.value?.tenant_name ?? "";
  return (
    <div class="page">
      <header class="head">
        <h1>Settings</h1>
        <span class="t13 c3 cut">{name}</span>
      </header>
      <div class="grid12">
        <ModeCard />
        <RulesCard />
        <Card title="Appearance" aside="on this device" w={6}>
          <div class="card-b">
            <LookPanel motion sounds={false} />
          </div>
        </Card>
        <Card title="Leave this workspace" class="start" w={6}>
          <div class="card-b stack">
            <p class="c2">
              You lose access to its nodes and settings; the workspace stays for the others. Its only owner cannot
              leave.
            </p>
            <div class="btns">
              <Button kind="danger" icon="logout" onClick={() => setLeaving(true)}>
                Leave {name}
              </Button>
            </div>
          </div>
        </Card>
      </div>
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </div>
  );
}
