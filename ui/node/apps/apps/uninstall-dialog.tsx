import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { bytesText } from "../../../client/format.ts";
import { navigate } from "../../../client/router.ts";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

/** Separates "remove the app" from "delete its data"; only the second needs the name typed. */
export function UninstallDialog({ app, onClose }: { app: AppDetail; onClose: () => void }) {
  const size = app.volumes.reduce((sum, volume) => sum + (volume.size_bytes ?? 0), 0);
  const names = app.volumes.map((volume) => volume.name).join(", ");
  const what = `${app.volumes.length === 1 ? "Volume" : "Volumes"} ${names}`;
  const never = app.installed_at === null;
  const uninstall = async (withData: boolean): Promise<void> => {
    await api("DELETE /api/apps/{id}", { path: { id: app.id }, query: withData ? { delete_data: true } : {} });
    toast(`${app.display_name} is being uninstalled${withData ? ", with its data" : ""}.`, { state: "busy" });
    void resource("GET /api/apps").refresh();
    onClose();
    navigate("/apps");
  };
  return (
    <ConfirmDanger
      title={`Uninstall ${app.display_name}?`}
      typed={app.name}
      action="Uninstall"
      onConfirm={uninstall}
      onClose={onClose}
      {...(app.volumes.length === 0
        ? {}
        : {
            extra: {
              label: "Delete the data too",
              sub: `${what}${size > 0 ? `, ${bytesText(size)}` : ""}. This cannot be taken back.`,
            },
          })}
    >
      {never ? "It was never installed, so nothing of it runs. " : "The app stops and its containers are removed. "}
      {app.volumes.length > 0 &&
        `${never ? "Data of an earlier install" : "Its data"} stays on disk for 7 days unless you say otherwise.`}
    </ConfirmDanger>
  );
}
