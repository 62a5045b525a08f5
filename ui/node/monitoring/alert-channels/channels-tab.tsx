import { useRef, useState } from "preact/hooks";
import type { Channel, TestResult } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { ChannelDialog } from "./channel-dialog.tsx";
import { ChannelRow } from "./channel-row.tsx";
import { TestResultDialog } from "./test-result.tsx";
import { TrailDrawer } from "./trail-drawer.tsx";

type Layer =
  | { kind: "form"; channel: Channel | null }
  | { kind: "trail"; channel: Channel }
  | { kind: "delete"; channel: Channel }
  | { kind: "test"; channel: Channel; result: TestResult };

/** Where alerts arrive: every channel with how it is doing, and a test for each. */
export function ChannelsTab() {
  const channels = useResource("GET /api/alerting/channels", { everyMs: 10_000 });
  const [layer, open] = useState<Layer | null>(null);
  const shown = useRef(layer);
  shown.current = layer;
  const [testing, setTesting] = useState<string | null>(null);
  const close = (): void => open(null);
  useWish("channel", () => open({ kind: "form", channel: null }));
  const mayChange = isAdmin();

  const test = async (channel: Channel): Promise<void> => {
    setTesting(channel.id);
    try {
      const result = await api("POST /api/alerting/channels/{id}/test", { path: { id: channel.id } });
      // A test takes some seconds. A dialog that was opened meanwhile stays open, and a toast tells the result.
      if (shown.current === null) open({ kind: "test", channel, result });
      else if (result.ok) toast(`${channel.name} took the test.`);
      else toast(`${channel.name} did not take the test.`, { state: "crit" });
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setTesting((now) => (now === channel.id ? null : now));
      void channels.refresh();
    }
  };
  const setEnabled = async (channel: Channel, enabled: boolean): Promise<void> => {
    try {
      await api("PUT /api/alerting/channels/{id}", { path: { id: channel.id }, body: { enabled } });
      toast(enabled ? `${channel.name} is on.` : `${channel.name} is off. What waited for it is dropped.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void channels.refresh();
  };
  const remove = async (channel: Channel): Promise<void> => {
    try {
      await api("DELETE /api/alerting/channels/{id}", { path: { id: channel.id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    channels.set((list) => list?.filter(({ id }) => id !== channel.id) ?? null);
    close();
    toast(`${channel.name} is deleted.`);
  };
  const takeOver = async (channel: Channel): Promise<void> => {
    try {
      await api("POST /api/alerting/channels/{id}/take-over", { path: { id: channel.id } });
      toast(`${channel.name} is yours, and on again.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void channels.refresh();
  };
  const itemsOf = (channel: Channel) => [
    { label: "Edit", icon: "edit" as const, run: () => open({ kind: "form", channel }) },
    channel.enabled
      ? { label: "Switch off", icon: "pause" as const, run: () => void setEnabled(channel, false) }
      : { label: "Switch on", icon: "play" as const, run: () => void setEnabled(channel, true) },
    { label: "Delete", icon: "trash" as const, danger: true, run: () => open({ kind: "delete", channel }) },
  ];
  const add = mayChange && (
    <Button kind="primary" size="sm" icon="plus" onClick={() => open({ kind: "form", channel: null })}>
      Add channel
    </Button>
  );
  return (
    <Card title="Channels" aside="where alerts arrive" w={12} actions={(channels.data.value?.length ?? 0) > 0 && add}>
      <Loaded of={channels} what="Channels" skeleton={<Skeleton rows={3} tile />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="Nobody hears of alerts yet" action={add}>
              {mayChange
                ? "Add mail, Telegram, Slack, Discord or a webhook. Alerts then reach you where you are."
                : "An administrator can add mail, Telegram, Slack, Discord or a webhook."}
            </EmptyState>
          ) : (
            <div class="rows">
              {list.map((channel) => (
                <ChannelRow
                  key={channel.id}
                  channel={channel}
                  busy={testing === channel.id}
                  onTest={mayChange && channel.state !== "paused" ? () => void test(channel) : null}
                  onTakeOver={mayChange && channel.state === "paused" ? () => void takeOver(channel) : null}
                  onTrail={() => open({ kind: "trail", channel })}
                  items={mayChange ? itemsOf(channel) : []}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {layer?.kind === "form" && (
        <ChannelDialog
          channel={layer.channel}
          onClose={close}
          onSaved={(saved) => {
            void channels.refresh();
            close();
            toast(`${saved.name} is saved.`, { action: { label: "Send a test", run: () => void test(saved) } });
          }}
        />
      )}
      {layer?.kind === "test" && <TestResultDialog channel={layer.channel} result={layer.result} onClose={close} />}
      {layer?.kind === "trail" && <TrailDrawer channel={layer.channel} onClose={close} />}
      {layer?.kind === "delete" && (
        <ConfirmDanger
          title={`Delete ${layer.channel.name}?`}
          typed={null}
          action="Delete channel"
          onConfirm={() => remove(layer.channel)}
          onClose={close}
        >
          Alerts no longer go there. What waits for it is dropped.
        </ConfirmDanger>
      )}
    </Card>
  );
}
