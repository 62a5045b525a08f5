import { useState } from "preact/hooks";
import { Dialog } from "../../../kit/dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { TemplateTile } from "./app-tile.tsx";
import { InstallForm } from "./install-form.tsx";
import { InstallProgress } from "./install-progress.tsx";

/** What has been started: the app and the work that installs it. */
export interface Started {
  appId: string;
  opId: string;
}

/** Check, configure, install and watch, in one dialog; `restore` is the app whose kept data is to be taken up again. */
export function InstallDialog({
  name,
  restore,
  onClose,
}: {
  name: string;
  restore: string | undefined;
  onClose: () => void;
}) {
  const detail = useResource("GET /api/templates/{name}", { path: { name } });
  const [started, start] = useState<Started | null>(null);
  const template = detail.data.value;
  if (template === null) {
    return (
      <Dialog title="Install" onClose={onClose}>
        <Loaded of={detail} what="This app">
          {() => null}
        </Loaded>
      </Dialog>
    );
  }
  const lead = <TemplateTile template={template} />;
  if (started !== null) return <InstallProgress template={template} lead={lead} started={started} onClose={onClose} />;
  return <InstallForm template={template} restore={restore} lead={lead} onStarted={start} onClose={onClose} />;
}
