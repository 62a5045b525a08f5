import { useState } from "preact/hooks";
import type { Key } from "../../../../src/node/people/keys/contract.ts";
import { ago, day, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Chip } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { KeyDialog } from "./key-dialog.tsx";

/** API keys of this account, for scripts and other programs. */
export function KeysCard() {
  const keys = useResource("GET /api/keys");
  const [layer, open] = useState<"add" | Key | null>(null);
  const close = (): void => open(null);
  useWish("key", () => open("add"));
  const revoke = async (key: Key): Promise<void> => {
    try {
      await api("DELETE /api/keys/{id}", { path: { id: key.id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    await keys.refresh();
    close();
    toast(`${key.name} stopped working.`);
  };
  const add = (
    <Button size="sm" icon="plus" onClick={() => open("add")}>
      Add key
    </Button>
  );
  return (
    <Card
      title="API keys"
      aside="for scripts; each acts as you"
      w={12}
      actions={(keys.data.value?.length ?? 0) > 0 && add}
    >
      <Loaded of={keys} what="API keys" skeleton={<Skeleton rows={2} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No keys" action={add}>
              A key lets a program use this server in your name, as far as you allow.
            </EmptyState>
          ) : (
            <DataTable
              label="API keys"
              rows={list}
              keyOf={(key) => key.id}
              folds
              columns={[
                { id: "name", title: "Name", cell: (key) => <span class="host cut">{key.name}</span> },
                {
                  id: "scopes",
                  title: "May use",
                  wide: true,
                  cell: (key) => (key.scopes === "*" ? "Everything" : key.scopes.split(",").join(", ")),
                },
                { id: "expires", title: "Expires", cell: (key) => <Expiry at={key.expires_at} /> },
                {
                  id: "used",
                  title: "Last used",
                  wide: true,
                  cell: (key) =>
                    key.last_used_at === null ? (
                      "Never"
                    ) : (
                      <span data-tip={moment(key.last_used_at)}>{ago(key.last_used_at)}</span>
                    ),
                },
                {
                  id: "end",
                  title: "",
                  number: true,
                  cell: (key) => (
                    <Button size="sm" kind="ghost" aria-label={`Revoke ${key.name}`} onClick={() => open(key)}>
                      Revoke
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {layer === "add" && <KeyDialog onClose={close} onMade={() => void keys.refresh()} />}
      {layer !== null && layer !== "add" && (
        <ConfirmDanger
          title={`Revoke ${layer.name}?`}
          typed={null}
          action="Revoke key"
          onConfirm={() => revoke(layer)}
          onClose={close}
        >
          Programs that use it are refused from now on.
        </ConfirmDanger>
      )}
    </Card>
  );
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return "Never";
  return Date.parse(at) < Date.now() ? <Chip state="warn">Expired</Chip> : day(at);
}
