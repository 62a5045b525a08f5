import { useState } from "preact/hooks";
import type { DavPassword } from "../../../../src/node/people/dav-passwords/contract.ts";
import { ago, day, moment } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { DavPasswordDialog } from "./dav-password-dialog.tsx";

/** Passwords for programs that open this account's Drive. */
export function DavPasswordsCard() {
  const passwords = useResource("GET /api/drive/webdav-passwords");
  const [layer, open] = useState<"add" | DavPassword | null>(null);
  const close = (): void => open(null);
  useWish("webdav", () => open("add"));
  const revoke = async ({ id, name }: DavPassword): Promise<void> => {
    try {
      await api("DELETE /api/drive/webdav-passwords/{id}", { path: { id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    await passwords.refresh();
    close();
    toast(`${name} stopped working.`);
  };
  const add = (
    <Button size="sm" icon="plus" onClick={() => open("add")}>
      Add password
    </Button>
  );
  return (
    <Card
      title="WebDAV passwords"
      aside="for programs that open your Drive"
      w={12}
      actions={(passwords.data.value?.passwords.length ?? 0) > 0 && add}
    >
      <Loaded of={passwords} what="WebDAV passwords" skeleton={<Skeleton rows={2} />}>
        {({ passwords: list }) =>
          list.length === 0 ? (
            <EmptyState title="No passwords" action={add}>
              Your file manager, phone or backup program opens the Drive with a password of its own, and nothing else.
            </EmptyState>
          ) : (
            <DataTable
              label="WebDAV passwords"
              rows={list}
              keyOf={({ id }) => id}
              folds
              columns={[
                { id: "name", title: "Name", cell: ({ name }) => <span class="host cut">{name}</span> },
                { id: "made", title: "Made", wide: true, cell: ({ created_at }) => day(created_at) },
                {
                  id: "used",
                  title: "Last used",
                  cell: ({ last_used_at: at }) =>
                    at === null ? "Never" : <span data-tip={moment(at)}>{ago(at)}</span>,
                },
                {
                  id: "end",
                  title: "",
                  number: true,
                  cell: (password) => (
                    <Button
                      size="sm"
                      kind="ghost"
                      aria-label={`Revoke ${password.name}`}
                      onClick={() => open(password)}
                    >
                      Revoke
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {layer === "add" && <DavPasswordDialog onClose={close} onMade={() => void passwords.refresh()} />}
      {layer !== null && layer !== "add" && (
        <ConfirmDanger
          title={`Revoke ${layer.name}?`}
          typed={null}
          action="Revoke password"
          onConfirm={() => revoke(layer)}
          onClose={close}
        >
          Programs that use it are refused from now on. Files stay.
        </ConfirmDanger>
      )}
    </Card>
  );
}
