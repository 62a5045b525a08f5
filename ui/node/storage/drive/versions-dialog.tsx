import { useState } from "preact/hooks";
import type { DriveNode, DriveVersion, DriveVersions } from "../../../../src/node/storage/drive/contract.ts";
import { bytesText, count, moment } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { download } from "./download.ts";

const windowOf = (hours: number): string => (hours <= 24 ? `${hours} hours` : `${hours / 24} days`);

/** What a file held before, with the ways back to it. */
export function VersionsDialog({
  node,
  mayChange,
  onChanged,
  onClose,
}: {
  node: DriveNode;
  mayChange: boolean;
  onChanged: () => void;
  onClose: () => void;
}) {
  const path = { id: node.id };
  const versions = useResource("GET /api/drive/nodes/{id}/versions", { path });
  const [now, setNow] = useState(node);
  const [removing, setRemoving] = useState<string | null>(null);
  const attempt = useAttempt();
  const restore = (version_id: string): void =>
    void attempt.send(async () => {
      const route = "POST /api/drive/nodes/{id}/versions/{version_id}/restore";
      setNow(await api(route, { path: { ...path, version_id } }));
      onChanged();
      await versions.refresh();
    });
  const remove = (version_id: string): void =>
    void attempt.send(async () => {
      await api("DELETE /api/drive/nodes/{id}/versions/{version_id}", { path: { ...path, version_id } });
      setRemoving(null);
      await versions.refresh();
    });
  const row = (version: DriveVersion) => (
    <li key={version.id} class="row">
      <span class="col">
        <span>{`Until ${moment(version.replaced_at)}`}</span>
        <span class="t13 c3">{`Since ${moment(version.made_at)}, ${bytesText(version.size_bytes)}`}</span>
      </span>
      {removing === version.id ? (
        <span class="row push">
          <Button size="sm" onClick={() => setRemoving(null)}>
            Keep it
          </Button>
          <Button size="sm" kind="danger" busy={attempt.busy} onClick={() => remove(version.id)}>
            Delete for good
          </Button>
        </span>
      ) : (
        <span class="row push">
          <IconButton
            size="sm"
            icon="download"
            label={`Download the version until ${moment(version.replaced_at)}`}
            onClick={() => void download(node.id, version.id)}
          />
          {mayChange && (
            <>
              <IconButton
                size="sm"
                icon="restart"
                label={`Restore the version until ${moment(version.replaced_at)}`}
                onClick={() => restore(version.id)}
              />
              <IconButton
                size="sm"
                icon="trash"
                label={`Delete the version until ${moment(version.replaced_at)}`}
                onClick={() => setRemoving(version.id)}
              />
            </>
          )}
        </span>
      )}
    </li>
  );
  return (
    <Dialog title={`Versions of ${node.name}`} onClose={onClose}>
      <div class="stack">
        <Loaded of={versions} what="The versions" skeleton={<Skeleton rows={3} />}>
          {(list) => (
            <>
              <ol class="driveversions" aria-label="Versions, the latest first">
                <li class="row">
                  <span class="col">
                    <b>Current</b>
                    <span class="t13 c3">{`Since ${moment(now.changed_at)}, ${bytesText(now.size_bytes)}`}</span>
                  </span>
                </li>
                {list.versions.map(row)}
              </ol>
              <Reach list={list} />
            </>
          )}
        </Loaded>
        {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
      </div>
    </Dialog>
  );
}

function Reach({ list: { versions, beyond_plan, window_hours } }: { list: DriveVersions }) {
  return (
    <p class="t13 c3">
      {versions.length === 0 && "There is no older version yet. "}
      {`What a file held is kept for ${windowOf(window_hours)} after it was changed. `}
      {beyond_plan > 0 && (
        <>
          {`${count(beyond_plan, "older version")} would come back with a larger plan, for a few days still. `}
          <a class="link" href="/settings/plan">
            See the plans
          </a>
        </>
      )}
    </p>
  );
}
