import { useState } from "preact/hooks";
import { count, day } from "../../../client/format.ts";
import { hasPasskeys, makeCredential, suggestName } from "../../../client/webauthn.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, LockedPart, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { NameDialog } from "../../../parts/name-dialog.tsx";
import { PasskeyRows } from "../../../parts/passkey-rows.tsx";
import { RecoveryDialog } from "../../../parts/recovery-dialog.tsx";
import { TotpDialog } from "../../../parts/totp-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import type { Routes } from "../../client/routes.ts";
import { updateUser, user } from "../../client/session.ts";
import { useProof } from "./use-proof.tsx";

type Key = Routes["GET /api/auth/webauthn/credentials"]["out"]["credentials"][number];
type Enrolment = Routes["POST /api/auth/totp/enable"]["out"];
type NewKey = Routes["POST /api/auth/webauthn/register/begin"]["out"];

type Layer =
  | { kind: "app"; enrolment: Enrolment }
  | { kind: "remove-app" | "replace-codes" }
  | { kind: "add-key"; asked: NewKey }
  | { kind: "rename-key" | "remove-key"; key: Key }
  | { kind: "codes"; codes: string[] };

/** The second factors of whoever is here, and the codes for the day all of them are gone. */
export function FactorCards() {
  const app = useResource("GET /api/auth/totp");
  const keys = useResource("GET /api/auth/webauthn/credentials");
  const [layer, open] = useState<Layer | null>(null);
  const proof = useProof();
  const refresh = async (): Promise<void> => {
    await Promise.all([app.refresh(), keys.refresh()]);
  };
  const close = (): void => {
    open(null);
    void refresh();
    // Whoever has a factor now may do more, and whoever has none any more perhaps less.
    if (user.peek()?.mfa_enrollment_required) void api("GET /api/auth/me").then(updateUser, () => null);
  };
  const makeCodes = async (): Promise<void> => {
    const { codes } = await api("POST /api/auth/recovery-codes");
    open({ kind: "codes", codes });
  };
  /** After a factor was added: without codes a lost one would lock its owner out. */
  const added = async (said: string): Promise<void> => {
    toast(said);
    const { recovery_codes_left } = await api("GET /api/auth/totp");
    if (recovery_codes_left > 0) return close();
    await makeCodes().catch(close);
  };
  const setUpApp = (): Promise<void> =>
    proof.run(async () => open({ kind: "app", enrolment: await api("POST /api/auth/totp/enable") }));
  const askForKey = (): Promise<void> =>
    proof.run(async () => open({ kind: "add-key", asked: await api("POST /api/auth/webauthn/register/begin") }));
  const addKey = async ({ session_id, options }: NewKey, name: string): Promise<void> => {
    const credential = await makeCredential(options.publicKey);
    const body = { session_id, name, credential };
    const made = await api("POST /api/auth/webauthn/register/finish", { body });
    await added(`${made.name} is ready.`);
  };
  const rename = async (key: Key, name: string): Promise<void> => {
    await api("PATCH /api/auth/webauthn/credentials/{id}", { path: { id: key.id }, body: { name } });
    close();
  };
  /** Takes a factor off once its owner has said so; a proof may be asked for in between. */
  const takeOff = async (work: () => Promise<unknown>, said: string): Promise<void> => {
    close();
    await proof.run(async () => {
      await work();
      await refresh();
      toast(said);
    });
  };
  const addButton = (
    <Button size="sm" icon="plus" disabled={!hasPasskeys()} onClick={() => void askForKey()}>
      Add a key
    </Button>
  );
  const hasAny = app.data.value?.enabled === true || (keys.data.value?.credentials.length ?? 0) > 0;
  return (
    <>
      <Card title="Keys and passkeys" w={7} actions={(keys.data.value?.credentials.length ?? 0) > 0 && addButton}>
        <Loaded of={keys} what="Your keys" skeleton={<Skeleton rows={2} />}>
          {({ credentials }) => (
            <>
              {!hasPasskeys() && (
                <LockedPart title="Not at this address" icon="passkey">
                  Keys need https and a host name, and a browser that knows them.
                </LockedPart>
              )}
              {hasPasskeys() && credentials.length === 0 && (
                <EmptyState title="No key yet" action={addButton}>
                  A key cannot be guessed or lured to another site, and needs no typing.
                </EmptyState>
              )}
              <PasskeyRows
                keys={credentials}
                remove="Remove"
                onRename={(key) => open({ kind: "rename-key", key })}
                onRemove={(key) => open({ kind: "remove-key", key })}
              />
            </>
          )}
        </Loaded>
      </Card>
      <Card title="Recovery codes" aside="for the day all your devices are gone" w={5}>
        <Loaded of={app} what="Recovery codes" skeleton={<Skeleton rows={2} />}>
          {({ recovery_codes_left: left }) =>
            hasAny ? (
              <div class="card-b stack">
                <Status state={left > 2 ? "ok" : "warn"}>
                  {left === 0 ? "None: lost devices would lock you out" : `${count(left, "code")} left`}
                </Status>
                <div class="btns">
                  <Button
                    size="sm"
                    onClick={() => (left === 0 ? void proof.run(makeCodes) : open({ kind: "replace-codes" }))}
                  >
                    {left === 0 ? "Make ten codes" : "Make ten new ones"}
                  </Button>
                </div>
              </div>
            ) : (
              <EmptyState title="Not needed yet">They stand in for a second factor. Add one first.</EmptyState>
            )
          }
        </Loaded>
      </Card>
      <Card title="Authenticator app" aside="a code besides the passphrase" w={7}>
        <Loaded of={app} what="Your authenticator app" skeleton={<Skeleton rows={2} />}>
          {({ enabled, enabled_at }) =>
            enabled ? (
              <div class="card-b row">
                <Status state="ok">On{enabled_at === null ? "" : ` since ${day(enabled_at)}`}</Status>
                <Button class="push" size="sm" kind="danger" onClick={() => open({ kind: "remove-app" })}>
                  Remove
                </Button>
              </div>
            ) : (
              <EmptyState
                title="Not set up"
                action={
                  <Button size="sm" onClick={() => void setUpApp()}>
                    Set up an app
                  </Button>
                }
              >
                With the codes of an app on your phone a stolen passphrase alone opens nothing.
              </EmptyState>
            )
          }
        </Loaded>
      </Card>
      {layer?.kind === "app" && (
        <TotpDialog
          begin={async () => layer.enrolment}
          verify={async (code) => {
            await api("POST /api/auth/totp/verify", { body: { code } });
            await added("Two-factor sign-in is on.");
          }}
          onClose={close}
        />
      )}
      {layer?.kind === "add-key" && (
        <NameDialog
          title="Add a passkey or security key"
          hint="Then your browser asks where to keep it."
          name={suggestName()}
          action="Continue"
          onName={(name) => addKey(layer.asked, name)}
          onClose={close}
        />
      )}
      {layer?.kind === "rename-key" && (
        <NameDialog
          title="Rename key"
          name={layer.key.name}
          action="Save"
          onName={(name) => rename(layer.key, name)}
          onClose={close}
        />
      )}
      {layer?.kind === "remove-key" && (
        <ConfirmDanger
          title={`Remove ${layer.key.name}?`}
          typed={null}
          action="Remove key"
          onConfirm={() =>
            takeOff(
              () => api("DELETE /api/auth/webauthn/credentials/{id}", { path: { id: layer.key.id } }),
              `${layer.key.name} no longer opens your account.`,
            )
          }
          onClose={close}
        >
          It no longer opens your account. Also remove it from the device, which cannot be done from here.
        </ConfirmDanger>
      )}
      {layer?.kind === "remove-app" && (
        <ConfirmDanger
          title="Remove the authenticator app?"
          typed={null}
          action="Remove app"
          onConfirm={() => takeOff(() => api("POST /api/auth/totp/disable"), "The app no longer opens your account.")}
          onClose={close}
        >
          Its codes open nothing any more. With your last second factor the recovery codes go too.
        </ConfirmDanger>
      )}
      {layer?.kind === "replace-codes" && (
        <ConfirmDanger
          title="Make ten new recovery codes?"
          typed={null}
          action="Make new ones"
          onConfirm={async () => {
            close();
            await proof.run(makeCodes);
          }}
          onClose={close}
        >
          Those that you have stop working.
        </ConfirmDanger>
      )}
      {layer?.kind === "codes" && (
        <RecoveryDialog codes={layer.codes} owner={user.value?.email ?? ""} place={location.hostname} onClose={close} />
      )}
      {proof.dialog}
    </>
  );
}
