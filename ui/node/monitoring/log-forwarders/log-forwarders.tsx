import { useRef, useState } from "preact/hooks";
import type { Forwarder, ForwarderTest } from "../../../../src/node/monitoring/log-forwarders/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { ForwarderDialog } from "./forwarder-dialog.tsx";
import { ForwarderRow } from "./forwarder-row.tsx";
import { LogTabs } from "./log-tabs.tsx";
import { TestDialog } from "./test-dialog.tsx";

type Layer =
  | { kind: "form"; forwarder: Forwarder | null }
  | { kind: "delete"; forwarder: Forwarder }
  | { kind: "test"; forwarder: Forwarder; result: ForwarderTest };

/** Where log lines go besides this server: every forwarder with how it is doing, and a test for each. */
export function LogForwarders() {
  const forwarders = useResource("GET /api/log-forwarders", { everyMs: 5_000 });
  const [layer, open] = useState<Layer | null>(null);
  const shown = useRef(layer);
  shown.current = layer;
  const [testing, setTesting] = useState<string | null>(null);
  const close = (): void => open(null);
  useWish("log-forwarder", () => open({ kind: "form", forwarder: null }));

  const test = async (forwarder: Forwarder): Promise<void> => {
    setTesting(forwarder.id);
    try {
      const result = await api("POST /api/log-forwarders/{id}/test", { path: { id: forwarder.id } });
      // A test takes some seconds. A dialog that was opened meanwhile stays open, and a toast tells the result.
      if (shown.current === null) open({ kind: "test", forwarder, result });
      else if (result.ok) toast(`${forwarder.name} took the line.`);
      else toast(`${forwarder.name} did not take the line.`, { state: "crit" });
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setTesting((now) => (now === forwarder.id ? null : now));
      void forwarders.refresh();
    }
  };
  const setEnabled = async (forwarder: Forwarder, enabled: boolean): Promise<void> => {
    try {
      await api("PUT /api/log-forwarders/{id}", { path: { id: forwarder.id }, body: { enabled } });
      toast(enabled ? `${forwarder.name} is on.` : `${forwarder.name} is off. What waits for it stays.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void forwarders.refresh();
  };
  const remove = async (forwarder: Forwarder): Promise<void> => {
    try {
      await api("DELETE /api/log-forwarders/{id}", { path: { id: forwarder.id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    forwarders.set((list) => list?.filter(({ id }) => id !== forwarder.id) ?? null);
    close();
    toast(`${forwarder.name} is deleted.`);
  };
  const takeOver = async (forwarder: Forwarder): Promise<void> => {
    try {
      await api("POST /api/log-forwarders/{id}/take-over", { path: { id: forwarder.id } });
      toast(`${forwarder.name} is yours, and on again.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    void forwarders.refresh();
  };
  const itemsOf = (forwarder: Forwarder) => [
    { label: "Edit", icon: "edit" as const, run: () => open({ kind: "form", forwarder }) },
    forwarder.enabled
      ? { label: "Switch off", icon: "pause" as const, run: () => void setEnabled(forwarder, false) }
      : { label: "Switch on", icon: "play" as const, run: () => void setEnabled(forwarder, true) },
    { label: "Delete", icon: "trash" as const, danger: true, run: () => open({ kind: "delete", forwarder }) },
  ];
  const add = (
    <Button kind="primary" size="sm" icon="plus" onClick={() => open({ kind: "form", forwarder: null })}>
      Add log forwarder
    </Button>
  );
  return (
    <div class="page">
      <header class="head">
        <h1>Logs</h1>
      </header>
      <LogTabs current="forwarders" />
      <div class="grid12">
        <Card
          title="Forwarders"
          aside="where log lines go besides this server"
          w={12}
          actions={(forwarders.data.value?.length ?? 0) > 0 && add}
        >
          <Loaded of={forwarders} what="Log forwarders" skeleton={<Skeleton rows={3} tile />}>
            {(list) =>
              list.length === 0 ? (
                <EmptyState title="Logs stay on this server" action={add}>
                  Send them to a syslog server, to Loki or to any place that takes JSON. While a place does not answer,
                  lines wait on disk.
                </EmptyState>
              ) : (
                <div class="rows">
                  {list.map((forwarder) => (
                    <ForwarderRow
                      key={forwarder.id}
                      forwarder={forwarder}
                      busy={testing === forwarder.id}
                      onTest={forwarder.state === "paused" ? null : () => void test(forwarder)}
                      onTakeOver={forwarder.state === "paused" ? () => void takeOver(forwarder) : null}
                      items={itemsOf(forwarder)}
                    />
                  ))}
                </div>
              )
            }
          </Loaded>
        </Card>
      </div>
      {layer?.kind === "form" && (
        <ForwarderDialog
          forwarder={layer.forwarder}
          onClose={close}
          onSaved={(saved) => {
            void forwarders.refresh();
            close();
            toast(`${saved.name} is saved.`, { action: { label: "Send a test", run: () => void test(saved) } });
          }}
        />
      )}
      {layer?.kind === "test" && (
        <TestDialog
          forwarder={layer.forwarder}
          result={layer.result}
          onClose={close}
          onEdit={() => open({ kind: "form", forwarder: layer.forwarder })}
        />
      )}
      {layer?.kind === "delete" && (
        <ConfirmDanger
          title={`Delete ${layer.forwarder.name}?`}
          typed={null}
          action="Delete log forwarder"
          onConfirm={() => remove(layer.forwarder)}
          onClose={close}
        >
          Lines no longer go there. What waits for it is dropped.
        </ConfirmDanger>
      )}
    </div>
  );
}
