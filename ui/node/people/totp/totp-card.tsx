import { useState } from "preact/hooks";
import { count, day } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { RecoveryDialog } from "../../../parts/recovery-dialog.tsx";
import { TotpDialog } from "../../../parts/totp-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { lockInfo, user } from "../../client/session.ts";
import { ProofDialog } from "../auth/proof-dialog.tsx";

type Layer = { kind: "enable" | "disable" | "prove" } | { kind: "codes"; codes: string[] };

/** The second factor by app, and the codes for the day the phone is lost. */
export function TotpCard() {
  const status = useResource("GET /api/auth/totp");
  const [layer, open] = useState<Layer | null>(null);
  const close = (): void => {
    open(null);
    void status.refresh();
  };
  const makeCodes = async (): Promise<void> => {
    const { codes } = await api("POST /api/auth/recovery-codes");
    open({ kind: "codes", codes });
  };
  return (
    <Card title="Two-factor sign-in" aside="a code besides the passphrase" w={7}>
      <Loaded of={status} what="Two-factor sign-in" skeleton={<Skeleton rows={2} />}>
        {(now) =>
          now.enabled ? (
            <div class="card-b stack">
              <div class="row">
                <Status state="ok">On{now.enabled_at === null ? "" : ` since ${day(now.enabled_at)}`}</Status>
                <Button class="push" size="sm" kind="danger" onClick={() => open({ kind: "disable" })}>
                  Turn off
                </Button>
              </div>
              <div class="row">
                <Status state={now.recovery_codes_left > 2 ? "ok" : "warn"}>
                  {now.recovery_codes_left === 0
                    ? "No recovery codes: a lost phone would lock you out"
                    : `${count(now.recovery_codes_left, "recovery code")} left`}
                </Status>
                <Button
                  class="push"
                  size="sm"
                  onClick={() =>
                    now.recovery_codes_left === 0
                      ? void makeCodes().catch(() => open({ kind: "prove" }))
                      : open({ kind: "prove" })
                  }
                >
                  {now.recovery_codes_left === 0 ? "Make codes" : "Replace"}
                </Button>
              </div>
            </div>
          ) : (
            <EmptyState
              title="Off"
              action={
                <Button size="sm" onClick={() => open({ kind: "enable" })}>
                  Turn on
                </Button>
              }
            >
              With an authenticator app a stolen passphrase alone opens nothing.
            </EmptyState>
          )
        }
      </Loaded>
      {layer?.kind === "enable" && (
        <TotpDialog
          begin={() => api("POST /api/auth/totp/enable")}
          verify={async (code) => {
            await api("POST /api/auth/totp/verify", { body: { code } });
            void status.refresh();
            void makeCodes().catch(close);
          }}
          onClose={close}
        />
      )}
      {layer?.kind === "disable" && (
        <ProofDialog
          title="Turn off two-factor sign-in"
          action="Turn off"
          danger
          onProof={async (proof) => {
            await api("POST /api/auth/totp/disable", { body: proof });
            toast("Two-factor sign-in is off.");
            close();
          }}
          onClose={close}
        />
      )}
      {layer?.kind === "prove" && (
        <ProofDialog
          title="New recovery codes"
          sub="The ones you have stop working."
          action="Make new codes"
          onProof={async (proof) => {
            const { codes } = await api("POST /api/auth/recovery-codes", { body: proof });
            open({ kind: "codes", codes });
          }}
          onClose={close}
        />
      )}
      {layer?.kind === "codes" && (
        <RecoveryDialog
          codes={layer.codes}
          owner={user.value?.username ?? ""}
          place={lockInfo.value?.hostname ?? "orrery"}
          onClose={close}
        />
      )}
    </Card>
  );
}
