import type { Preferences } from "../../../../src/panel/people/notifications/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Switch } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import { DeliveryCard } from "./delivery-card.tsx";

type Kind = keyof Preferences["kinds"];

const kinds: { kind: Kind; title: string; text: string }[] = [
  { kind: "node.offline", title: "Servers go offline", text: "Servers of one region that go together are told once." },
  { kind: "incident.opened", title: "Something else is wrong", text: "Disks, memory, processors and apps in trouble." },
  {
    kind: "incident.escalated",
    title: "It gets worse",
    text: "Nobody says for half an hour that they know of it, or more servers have it.",
  },
  {
    kind: "canary.paused",
    title: "A rollout stops",
    text: "One of its gates did not hold, and it waits for a decision.",
  },
  { kind: "invitation.accepted", title: "Somebody accepts your invitation", text: "They are members from then on." },
];

/** What somebody is told of in this workspace, in the list of the bell and by mail. */
export function NotificationPreferences() {
  const found = useResource("GET /api/profile/notifications");
  const change = async (chosen: Partial<Omit<Preferences, "by_mail" | "mail">>): Promise<void> => {
    const now = found.data.peek();
    if (now === null) return;
    found.set((before) => before && { ...before, ...chosen });
    try {
      const saved = await api("PUT /api/profile/notifications", { body: { kinds: now.kinds, ...chosen } });
      found.set(() => saved);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      void found.refresh();
    }
  };
  const choose = async (kind: Kind, way: "inapp" | "email", on: boolean): Promise<void> => {
    const now = found.data.peek();
    if (now === null) return;
    await change({ kinds: { ...now.kinds, [kind]: { ...now.kinds[kind], [way]: on } } });
  };
  return (
    <div class="page">
      <header class="head">
        <h1>Notifications</h1>
        <span class="t13 c3 cut">in {user.value?.tenant_name ?? "this workspace"}</span>
      </header>
      <Loaded of={found} what="Notifications" skeleton={<Skeleton rows={6} tile />}>
        {({ kinds: chosen, by_mail, mail, ...rest }) => (
          <div class="grid12">
            {kinds.map(({ kind, title, text }) => (
              <Card key={kind} title={title} w={6}>
                <div class="card-b stack">
                  <p class="t13 c3">{text}</p>
                  <Switch checked={chosen[kind].inapp} onChecked={(on) => void choose(kind, "inapp", on)}>
                    In the list of the bell
                  </Switch>
                  <Switch
                    checked={chosen[kind].email}
                    disabled={!by_mail}
                    onChecked={(on) => void choose(kind, "email", on)}
                    {...(by_mail ? {} : { sub: "This panel sends no mail. Whoever runs it can set it up." })}
                  >
                    By mail
                  </Switch>
                </div>
              </Card>
            ))}
            {by_mail && <DeliveryCard of={rest} mail={mail} onChange={(next) => void change(next)} />}
          </div>
        )}
      </Loaded>
    </div>
  );
}
