import { useEffect, useState } from "preact/hooks";
import type { AppDetail, AppUpdates } from "../../../../src/node/apps/apps/contract.ts";
import { appointment, duration, moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { isBusy } from "./app-state.ts";
import { RollbackDialog } from "./rollback-dialog.tsx";
import { UpdateDialog } from "./update-dialog.tsx";

/** A newer version, the way back from the latest update, or why it went back by itself; nothing where there is none of it. */
export function UpdateNotice({ app }: { app: AppDetail }) {
  const updates = useResource("GET /api/apps/{id}/updates", { path: { id: app.id } });
  const [open, setOpen] = useState<"update" | "back" | null>(null);
  const busy = isBusy(app);
  useEffect(() => {
    if (!busy) void updates.refresh();
  }, [busy, updates]);
  const found = updates.data.value;
  if (found === null || busy) return null;
  const { to, back, last, choice } = found;
  const close = (): void => setOpen(null);
  return (
    <>
      {last !== null && !last.ok && (
        <WentBack last={last} onAgain={to?.failed_before ? () => setOpen("update") : undefined} />
      )}
      {to !== null && choice !== null && (
        <Chosen app={app} version={to.version} choice={choice} onOver={() => updates.refresh()} />
      )}
      {to !== null && choice === null && !to.failed_before && (
        <Banner
          state="info"
          action={
            <Button size="sm" kind="primary" onClick={() => setOpen("update")}>
              Update…
            </Button>
          }
        >
          <b class="w6">Version {to.version} is ready.</b> This is {app.version}.
        </Banner>
      )}
      {back !== null && (
        <Banner
          state="info"
          action={
            <Button size="sm" onClick={() => setOpen("back")}>
              Go back…
            </Button>
          }
        >
          Updated from {back.version}
          {last?.down_ms != null && last.ok && `, away for ${awayFor(last.down_ms)}`}. The way back stands open until{" "}
          {appointment(back.kept_until)}.
        </Banner>
      )}
      {open === "update" && <UpdateDialog app={app} onClose={close} />}
      {open === "back" && back !== null && <RollbackDialog app={app} back={back} onClose={close} />}
    </>
  );
}

/** What is to become of a newer version, with the way to think again. */
function Chosen({
  app,
  version,
  choice,
  onOver,
}: {
  app: AppDetail;
  version: string;
  choice: NonNullable<AppUpdates["choice"]>;
  onOver: () => Promise<void>;
}) {
  const attempt = useAttempt();
  const takeBack = async (): Promise<void> => {
    await api("DELETE /api/apps/{id}/updates/choice", { path: { id: app.id } });
    await onOver();
    void resource("GET /api/apps").refresh();
  };
  const { due_at } = choice;
  return (
    <Banner
      state="info"
      action={
        <Button size="sm" busy={attempt.busy} onClick={() => void attempt.send(takeBack)}>
          {due_at === null ? "Offer it again" : "Do not update tonight"}
        </Button>
      }
    >
      {due_at === null ? (
        <>
          <b class="w6">Version {version} is skipped.</b> This is {app.version}; the one after it is offered again.
        </>
      ) : (
        <>
          <b class="w6">
            It is updated to {version} on {appointment(due_at)}.
          </b>{" "}
          If it does not work then, it goes back to {app.version} by itself.
        </>
      )}
      {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
    </Banner>
  );
}

const awayFor = (ms: number): string => duration(Math.max(1, Math.round(ms / 1000)));

/** `onAgain` is there when the version that failed is still the newest. */
function WentBack({ last, onAgain }: { last: NonNullable<AppUpdates["last"]>; onAgain: (() => void) | undefined }) {
  return (
    <Banner
      state="warn"
      action={
        onAgain && (
          <Button size="sm" onClick={onAgain}>
            Try again…
          </Button>
        )
      }
    >
      <b class="w6">
        {last.to} did not come up, so it is back on {last.from}.
      </b>{" "}
      {last.cause} Its data is as it was
      {last.down_ms === null ? "" : `; it was away for ${awayFor(last.down_ms)}`} ({moment(last.ended_at)}).{" "}
      {last.next_step}
    </Banner>
  );
}
