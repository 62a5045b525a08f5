import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { bytesText } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { Chip } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { isAdmin } from "../../client/session.ts";

const roles: Record<string, string> = { data: "Your data", database: "Database", cache: "Cache, made again when lost" };

/** What the app keeps on disk. */
export function StorageTab({ app, onUninstall }: { app: AppDetail; onUninstall: () => void }) {
  const known = app.volumes.filter((volume) => volume.size_bytes !== null);
  const total = known.reduce((sum, volume) => sum + (volume.size_bytes ?? 0), 0);
  return (
    <Card
      title="Volumes"
      {...(known.length > 0 ? { aside: `${bytesText(total)} in all` } : {})}
      foot={
        isAdmin() && (
          <>
            <span>Uninstalling keeps this data unless you say otherwise.</span>
            <Button size="sm" kind="danger" class="push" onClick={onUninstall}>
              Uninstall…
            </Button>
          </>
        )
      }
    >
      {app.volumes.length === 0 ? (
        <EmptyState title="It keeps nothing">This app has no volumes; nothing is lost when it goes.</EmptyState>
      ) : (
        <DataTable
          label="Volumes"
          rows={app.volumes}
          keyOf={(volume) => volume.name}
          columns={[
            { id: "name", title: "Name", cell: (volume) => <span class="host mono">{volume.name}</span> },
            { id: "role", title: "Holds", cell: (volume) => <Chip>{roles[volume.role] ?? volume.role}</Chip> },
            {
              id: "size",
              title: "Size",
              number: true,
              cell: (volume) => (volume.size_bytes === null ? "not measured yet" : bytesText(volume.size_bytes)),
            },
          ]}
        />
      )}
    </Card>
  );
}
