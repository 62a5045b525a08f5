import { useState } from "preact/hooks";
import type { Passkey } from "../../../../src/node/people/passkeys/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { hasPasskeys, suggestName } from "../../../client/webauthn.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, LockedPart, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { PasskeyRows } from "../../../parts/passkey-rows.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { lockInfo } from "../../client/session.ts";
import { registerPasskey } from "./passkey.ts";

type Layer = { kind: "add" } | { kind: "rename" | "delete"; passkey: Passkey };

/** Passkeys of this account: add, name, delete. */
export function PasskeysCard() {
  const passkeys = useResource("GET /api/auth/passkeys");
  const [layer, open] = useState<Layer | null>(null);
  const close = (): void => open(null);
  const info = lockInfo.value;
  const why =
    info?.passkeys_enabled === false
      ? info.passkeys_reason
      : hasPasskeys()
        ? null
        : "this browser cannot use them at this address.";
  const add = (
    <Button size="sm" icon="plus" disabled={why !== null} onClick={() => open({ kind: "add" })}>
      Add passkey
    </Button>
  );
  const list = passkeys.data.value?.passkeys ?? [];
  const saveName = async (passkey: Passkey, name: string): Promise<void> => {
    await api("PATCH /api/auth/passkeys/{id}", { path: { id: passkey.id }, body: { name } });
    await passkeys.refresh();
    close();
  };
  const remove = async (passkey: Passkey): Promise<void> => {
    try {
      await api("DELETE /api/auth/passkeys/{id}", { path: { id: passkey.id } });
    } catch (error) {
      throw new Error(asProblem(error).message);
    }
    await passkeys.refresh();
    close();
    toast(`${passkey.name} no longer opens this account.`);
  };
  const register = async (name: string): Promise<void> => {
    const made = await registerPasskey(name);
    await passkeys.refresh();
    close();
    toast(`${made.name} is ready. Use it the next time you sign in.`);
  };
  return (
    <Card title="Passkeys" aside="sign in with face, finger or a key" w={7} actions={list.length > 0 && add}>
      <Loaded of={passkeys} what="Passkeys" skeleton={<Skeleton rows={2} />}>
        {(data) => (
          <>
            {why !== null && (
              <LockedPart title="Not at this address" icon="passkey">
                Passkeys do not work here: {why}
              </LockedPart>
            )}
            {why === null && data.passkeys.length === 0 && (
              <EmptyState title="No passkey yet" action={add}>
                A passkey stays on your device, cannot be guessed and needs no typing.
              </EmptyState>
            )}
            <PasskeyRows
              keys={data.passkeys}
              onRename={(passkey) => open({ kind: "rename", passkey })}
              onRemove={(passkey) => open({ kind: "delete", passkey })}
            />
          </>
        )}
      </Loaded>
      {layer?.kind === "add" && (
        <NameDialog
          title="Add passkey"
          hint="Then your browser asks where to keep it."
          name={suggestName()}
          action="Continue"
          onName={register}
          onClose={close}
        />
      )}
      {layer?.kind === "rename" && (
        <NameDialog
          title="Rename passkey"
          name={layer.passkey.name}
          action="Save"
          onName={(name) => saveName(layer.passkey, name)}
          onClose={close}
        />
      )}
      {layer?.kind === "delete" && (
        <ConfirmDanger
          title={`Delete ${layer.passkey.name}?`}
          typed={null}
          action="Delete passkey"
          onConfirm={() => remove(layer.passkey)}
          onClose={close}
        >
          It no longer opens this account. Also remove it from the device, which cannot be done from here.
        </ConfirmDanger>
      )}
    </Card>
  );
}
