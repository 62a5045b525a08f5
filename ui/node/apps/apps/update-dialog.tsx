import { useState } from "preact/hooks";
import type { AppDetail, AppUpdates } from "../../../../src/node/apps/apps/contract.ts";
import { bytesText, count, duration } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { PermissionChoices } from "./permission-choices.tsx";

const glyphs = { ok: "ok", warn: "warn", fail: "crit" } as const;

/** What an update changes, what is copied first and what leads back; then begins it. */
export function UpdateDialog({ app, onClose }: { app: AppDetail; onClose: () => void }) {
  const path = { id: app.id };
  const updates = useResource("GET /api/apps/{id}/updates", { path });
  const [allowed, allow] = useState<string[]>([]);
  const attempt = useAttempt();
  const found = updates.data.value;
  const to = found?.to ?? null;
  const asked = to?.permissions ?? [];
  const update = async (): Promise<void> => {
    if (to === null) return;
    await api("POST /api/apps/{id}/update", { path, body: { version: to.version, permissions: allowed } });
    toast(`${app.display_name} is being updated.`, { state: "busy" });
    await resource("GET /api/apps/{id}", { path }).refresh();
    void resource("GET /api/apps").refresh();
    onClose();
  };
  const choose = async (choice: "skip" | "tonight"): Promise<void> => {
    if (to === null) return;
    const body = { choice, version: to.version, ...(choice === "tonight" && { permissions: allowed }) };
    await api("PUT /api/apps/{id}/updates/choice", { path, body });
    const what = choice === "skip" ? `${to.version} is skipped.` : "It is updated in the coming night.";
    toast(`${app.display_name}: ${what}`);
    await updates.refresh();
    void resource("GET /api/apps").refresh();
    onClose();
  };
  const ready = found?.ok === true && asked.every(({ id }) => allowed.includes(id));
  return (
    <FormDialog
      title={to === null ? `Update ${app.display_name}` : `Update ${app.display_name} to ${to.version}`}
      sub={`From ${app.version}`}
      action="Copy and update"
      width="md"
      ready={ready}
      aside={
        to !== null && (
          <>
            {found?.choice?.kind !== "skip" && (
              <Button kind="ghost" disabled={attempt.busy} onClick={() => void attempt.send(() => choose("skip"))}>
                Skip this version
              </Button>
            )}
            {found?.choice?.kind !== "tonight" && (
              <Button disabled={attempt.busy || !ready} onClick={() => void attempt.send(() => choose("tonight"))}>
                Update tonight
              </Button>
            )}
          </>
        )
      }
      attempt={attempt}
      onSubmit={() => void attempt.send(update)}
      onClose={onClose}
    >
      <Loaded of={updates} what="The update" skeleton={<Skeleton rows={4} height={220} />}>
        {(all) =>
          all.to === null ? (
            <p class="c2">There is nothing newer: it is on {all.version}.</p>
          ) : (
            <>
              <WhatHappens app={app} all={all} to={all.to} />
              <PermissionChoices asked={asked} allowed={allowed} onAllowed={allow} />
              <UpdateChecks checks={all.checks} />
              <p class="c2 t13">Tonight is the next time that it is three o’clock on the server.</p>
            </>
          )
        }
      </Loaded>
    </FormDialog>
  );
}

type Target = NonNullable<AppUpdates["to"]>;

function WhatHappens({ app, all, to }: { app: AppDetail; all: AppUpdates; to: Target }) {
  const copied = all.backed_up.filter((one) => one.is_copied);
  const caches = all.backed_up.filter((one) => !one.is_copied);
  const size = (bytes: number | null): string => (bytes === null ? "" : `, ${bytesText(bytes)}`);
  return (
    <div class="updateparts">
      <section>
        <h3 class="sub-h">What changes</h3>
        {to.path.length > 1 && <p>It passes {to.path.slice(0, -1).join(", ")} on the way.</p>}
        {to.breaking.map((text) => (
          <p key={text}>
            <Glyph state="warn" /> {text}
          </p>
        ))}
        <p class="c2">
          Its {count(app.services.length, "container")} {app.services.length === 1 ? "is" : "are"} made anew. What it
          needs is downloaded while it runs.
        </p>
      </section>
      <section>
        <h3 class="sub-h">Copied first</h3>
        {copied.map((one) => (
          <p key={one.name}>
            {one.name}
            {size(one.size_bytes)}
          </p>
        ))}
        {copied.length === 0 && <p class="c2">It keeps no data.</p>}
        {all.dumped.map(({ service }) => (
          <p key={service}>The database in {service} also writes all it has into a file, which is read again</p>
        ))}
        {caches.map((one) => (
          <p class="c2" key={one.name}>
            Not {one.name}: a cache, it is made again
          </p>
        ))}
      </section>
      <section>
        <h3 class="sub-h">The way back</h3>
        <p>
          By itself, if it does not work within {duration(to.start_seconds)} or fails in the{" "}
          {duration(to.watched_seconds)} after.
        </p>
        <p>By you, for seven days.</p>
        <p class="c2">The new version works on the copy. The data of now is not touched.</p>
      </section>
    </div>
  );
}

function UpdateChecks({ checks }: { checks: AppUpdates["checks"] }) {
  return (
    <ul class="checks">
      {checks
        .filter(({ id }) => id !== "permissions")
        .map((check) => (
          <li key={check.id}>
            <Glyph state={glyphs[check.status]} />
            <b>{check.title}</b>
            <span class="v">
              {check.detail}
              {check.next_step !== null && check.status !== "ok" && <span class="next">{check.next_step}</span>}
            </span>
            <span />
          </li>
        ))}
    </ul>
  );
}
