import { useState } from "preact/hooks";
import type { Backup, Target } from "../../../../src/node/backups/backups/contract.ts";
import { ago, bytesText, moment } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { Status } from "../../../kit/status.tsx";
import { Told } from "./told.tsx";

function contentOf({ apps, include_config, include_objects }: Backup): string {
  const parts = [
    ...(include_config ? ["settings"] : []),
    ...(include_objects ? ["buckets", "Drives"] : []),
    ...(apps.length === 0 ? [] : [apps.length === 1 ? "one app" : `${apps.length} apps`]),
  ];
  const last = parts.at(-1) ?? "nothing";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}

function stateOf({ status, damage, verified_at, half, cause, cancelled }: Backup) {
  if (cancelled) return <Told state="off">{cause}</Told>;
  if (status === "in_progress") return <Status state="info">Under way</Status>;
  if (status === "failed") return <Told state="crit">{`Failed: ${cause ?? "no cause known"}`}</Told>;
  if (damage !== null) return <Told state="crit">{`Damaged: ${damage}`}</Told>;
  if (half.length > 0) {
    const which = half.length === 1 ? "one app in it is" : `${half.length} apps in it are`;
    const read = verified_at === null ? "Not read back yet" : `Read back ${ago(verified_at)}`;
    return <Told state="warn">{`${read}, and ${which} not whole`}</Told>;
  }
  if (verified_at === null) return <Status state="warn">Not read back yet</Status>;
  return <Told state="ok">{`Read back and whole ${ago(verified_at)}`}</Told>;
}

/** So many are shown before somebody asks for the rest. */
const SHOWN = 10;

/** Backups, each with what can be done with it. */
export function ListCard({
  backups,
  targets,
  isBusy,
  onVerify,
  onRestoreApps,
  onRestoreObjects,
}: {
  backups: readonly Backup[];
  targets: readonly Target[];
  isBusy: boolean;
  onVerify: (backup: Backup) => void;
  onRestoreApps: (backup: Backup) => void;
  onRestoreObjects: (backup: Backup) => void;
}) {
  const [isAll, showAll] = useState(false);
  const shown = isAll ? backups : backups.slice(0, SHOWN);
  const nameOf = (id: string) => targets.find((target) => target.id === id)?.name ?? id;
  return (
    <Card
      title="Backups"
      aside="newest first"
      actions={
        backups.some(({ apps }) => apps.length > 0) && (
          <LinkButton size="sm" href="/backups/search">
            Search files
          </LinkButton>
        )
      }
      {...(shown.length < backups.length && {
        foot: (
          <Button size="sm" onClick={() => showAll(true)}>
            {`Show all ${backups.length}`}
          </Button>
        ),
      })}
    >
      <div class="rows">
        {shown.map((backup) => (
          <div class="item backuprow" key={backup.id}>
            <span class="body">
              <span class="title cut">{moment(backup.started_at)}</span>
              <span class="sub">
                {`${nameOf(backup.target)}, ${contentOf(backup)}${backup.made_by === null ? "" : ` of ${backup.made_by}`}`}
                {backup.status === "completed" &&
                  `, ${bytesText(backup.size_bytes)}, ${bytesText(backup.added_bytes)} new`}
              </span>
              <span class="sub">{stateOf(backup)}</span>
              {backup.notes.map((note) => (
                <span class="sub" key={note}>
                  <Told state="warn">{note}</Told>
                </span>
              ))}
            </span>
            {backup.status === "completed" && (
              <span class="acts row">
                <Button size="sm" disabled={isBusy} onClick={() => onVerify(backup)}>
                  Try it
                </Button>
                <RestoreMenu
                  backup={backup}
                  isBusy={isBusy}
                  onApps={() => onRestoreApps(backup)}
                  onObjects={() => onRestoreObjects(backup)}
                />
              </span>
            )}
          </div>
        ))}
      </div>
    </Card>
  );
}

/** The ways in which things of a backup come back; nothing where only the recovery kit brings them back. */
function RestoreMenu({
  backup: { id, apps, include_objects, started_at },
  isBusy,
  onApps,
  onObjects,
}: {
  backup: Backup;
  isBusy: boolean;
  onApps: () => void;
  onObjects: () => void;
}) {
  const items: MenuItem[] = [];
  if (apps.length > 0)
    items.push(
      { label: "Files and folders", icon: "folder", href: `/backups/${id}` },
      { label: "Whole apps…", icon: "grid", disabled: isBusy, run: onApps },
    );
  if (include_objects) items.push({ label: "Buckets and Drives…", icon: "database", disabled: isBusy, run: onObjects });
  if (items.length === 0) return null;
  return (
    <Menu
      label={`Restore from ${moment(started_at)}`}
      trigger={(props) => (
        <Button {...props} size="sm">
          Restore
        </Button>
      )}
      items={items}
    />
  );
}
