import { useState } from "preact/hooks";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { LookPanel } from "../../../parts/look-panel.tsx";
import { api } from "../../client/api.ts";
import { endSession, enterWorkspace, user } from "../../client/session.ts";
import { ChatCard } from "../chat-channels/chat-card.tsx";
import { DirectoryCard } from "../scim/directory-card.tsx";
import { SignOnCard } from "../sso/sign-on-card.tsx";
import { SupportCard } from "../staff/support-card.tsx";
import { DeleteCard } from "../workspaces/delete-card.tsx";
import { NameCard } from "../workspaces/name-card.tsx";
import { LanguageCard } from "./language-card.tsx";
import { ModeCard } from "./mode-card.tsx";
import { RulesCard } from "./rules-card.tsx";

/** What this workspace is for, how the page looks on this device, and leaving the workspace. */
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
        <NameCard />
        <ModeCard />
        <RulesCard />
        <LanguageCard />
        <SignOnCard />
        <DirectoryCard />
        <SupportCard />
        <ChatCard />
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
                <span class="cut">Leave {name}</span>
              </Button>
            </div>
          </div>
        </Card>
        <DeleteCard />
      </div>
      {isLeaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </div>
  );
}

/** Asks before the caller leaves the workspace they are in; takes them to the one they used last. */
function LeaveDialog({ onClose }: { onClose: () => void }) {
  const who = user.value;
  if (!who) return null;
  const leave = async (): Promise<void> => {
    const left = await api("POST /api/workspaces/{id}/leave", { path: { id: who.tenant_id } }).catch(
      (error: unknown) => {
        throw new Error(asProblem(error).message);
      },
    );
    onClose();
    toast(`You left ${who.tenant_name}.`);
    if (left.token === undefined || left.user === undefined) return endSession();
    enterWorkspace({ token: left.token, user: left.user });
  };
  return (
    <ConfirmDanger title={`Leave ${who.tenant_name}?`} typed={null} action="Leave" onConfirm={leave} onClose={onClose}>
      To come back you need somebody in it who lets you in again.
    </ConfirmDanger>
  );
}
