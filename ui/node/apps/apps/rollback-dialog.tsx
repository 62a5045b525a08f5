import { useState } from "preact/hooks";
import type { AppDetail, AppUpdates } from "../../../../src/node/apps/apps/contract.ts";
import { appointment } from "../../../client/format.ts";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";
import { KeptDumps } from "./kept-dumps.tsx";
import { PermissionChoices } from "./permission-choices.tsx";

/** Asks before an app goes back to the version before, with the data of then. */
export function RollbackDialog({
  app,
  back,
  onClose,
}: {
  app: AppDetail;
  back: NonNullable<AppUpdates["back"]>;
  onClose: () => void;
}) {
  const [allowed, allow] = useState<string[]>([]);
  const goBack = async (): Promise<void> => {
    const path = { id: app.id };
    await api("POST /api/apps/{id}/rollback", { path, body: { permissions: allowed } });
    toast(`${app.display_name} goes back to ${back.version}.`, { state: "busy" });
    onClose();
    await resource("GET /api/apps/{id}", { path }).refresh();
    void resource("GET /api/apps").refresh();
  };
  return (
    <ConfirmDanger
      title={`Go back to ${app.display_name} ${back.version}?`}
      typed={null}
      action="Go back"
      ready={back.to_confirm.every(({ id }) => allowed.includes(id))}
      onConfirm={goBack}
      onClose={onClose}
    >
      It stops for a moment and starts again with the data as it was before the update. What came in since then is set
      aside and deleted after seven days. The way back stands open until {appointment(back.kept_until)}.
      <PermissionChoices asked={back.to_confirm} allowed={allowed} onAllowed={allow} />
      {back.dumps.length > 0 && <KeptDumps app={app} dumps={back.dumps} />}
    </ConfirmDanger>
  );
}
