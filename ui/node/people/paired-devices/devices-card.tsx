import { useState } from "preact/hooks";
import type { PairedDevice } from "../../../../src/node/people/paired-devices/contract.ts";
import { ago } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { PairDialog } from "./pair-dialog.tsx";

/** Mobile apps that act as this account. */
export function DevicesCard() {
  const devices = useResource("GET /api/paired-devices");
  const [layer, open] = useState<"pair" | PairedDevice | null>(null);
  useWish("device", () => open("pair"));
  const close = (): void => {
    open(null);
    void devices.refresh();
  };
  const remove = async (device: PairedDevice): Promise<void> => {
    try {
      await api("DELETE /api/paired-devices/{id}", { path: { id: device.id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    close();
    toast(`${device.name} is no longer paired.`);
  };
  const add = (
    <Button size="sm" icon="phone" onClick={() => open("pair")}>
      Pair an app
    </Button>
  );
  return (
    <Card title="Paired mobile apps" w={12} actions={(devices.data.value?.length ?? 0) > 0 && add}>
      <Loaded of={devices} what="Paired apps" skeleton={<Skeleton rows={2} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No app paired" action={add}>
              A paired phone can approve sign-ins by scanning.
            </EmptyState>
          ) : (
            <ul class="sep">
              {list.map((device) => (
                <li class="item" key={device.id}>
                  <Icon name="phone" class="c3" />
                  <span class="col">
                    <span class="w5 cut">{device.name}</span>
                    <span class="t12 c3">
                      Paired {ago(device.created_at)}
                      {device.last_used_at === null ? "" : `, used ${ago(device.last_used_at)}`}
                    </span>
                  </span>
                  <Button
                    class="push"
                    size="sm"
                    kind="ghost"
                    aria-label={`Unpair ${device.name}`}
                    onClick={() => open(device)}
                  >
                    Unpair
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {layer === "pair" && <PairDialog known={devices} onClose={close} />}
      {layer !== null && layer !== "pair" && (
        <ConfirmDanger
          title={`Unpair ${layer.name}?`}
          typed={null}
          action="Unpair"
          onConfirm={() => remove(layer)}
          onClose={close}
        >
          The app on it is signed out at once, and so are the screens and apps that it let in. API keys, passkeys,
          WebDAV passwords and invitations that were made there end with it.
        </ConfirmDanger>
      )}
    </Card>
  );
}
