import { useState } from "preact/hooks";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { isBusy, isUp } from "./app-state.ts";
import { PermissionChoices } from "./permission-choices.tsx";

/** What has to be confirmed before the app is started again, and the way to do so. */
export function OpenPaths({ app }: { app: AppDetail }) {
  const [confirming, confirm] = useState(false);
  if (app.to_confirm.length === 0) return null;
  return (
    <>
      <Banner
        state="warn"
        action={
          <Button size="sm" disabled={isBusy(app)} onClick={() => confirm(true)}>
            Look at it
          </Button>
        }
      >
        <b class="w6">Others have come to be able to replace a path of this app.</b> What runs runs on; it is started
        again once somebody allows that.
      </Banner>
      {confirming && <ConfirmDialog app={app} onClose={() => confirm(false)} />}
    </>
  );
}

function ConfirmDialog({ app, onClose }: { app: AppDetail; onClose: () => void }) {
  const [allowed, allow] = useState<string[]>([]);
  const attempt = useAttempt();
  const path = { id: app.id };
  const runs = isUp(app);
  const start = async (): Promise<void> => {
    const send = { path, body: { permissions: allowed } };
    await (runs ? api("POST /api/apps/{id}/restart", send) : api("POST /api/apps/{id}/start", send));
    toast(`${app.display_name} is ${runs ? "restarting" : "starting"}.`, { state: "busy" });
    void resource("GET /api/apps").refresh();
    void resource("GET /api/apps/{id}", { path }).refresh();
    onClose();
  };
  return (
    <FormDialog
      title={`Allow what ${app.display_name} would do`}
      sub="Whoever can replace a path can lead the app to any folder of this server."
      action={runs ? "Allow and restart" : "Allow and start"}
      width="md"
      ready={app.to_confirm.every(({ id }) => allowed.includes(id))}
      attempt={attempt}
      onSubmit={() => void attempt.send(start)}
      onClose={onClose}
    >
      <PermissionChoices asked={app.to_confirm} allowed={allowed} onAllowed={allow} />
      <p class="c2 t13">Or take the folder from the container that may write to it; then nothing is to be allowed.</p>
    </FormDialog>
  );
}
