import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { BackupFile, BackupVolume } from "../../../../src/node/backups/backups/browse-contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { saveFrom } from "../../client/save-from.ts";
import { PutBackDialog } from "./put-back-dialog.tsx";

/** A file, and the backup and volume that it is read from. */
export interface FileRow {
  backup: string;
  volume: Pick<BackupVolume, "app" | "app_name" | "volume" | "is_here">;
  file: BackupFile;
  /** What else is to be known of it, such as where it was found. */
  note?: string;
}

/** Where what is in a file or folder of a backup comes from. */
export const hrefOf = ({ backup, volume: { app, volume }, file }: FileRow): string =>
  `/api/backups/${encodeURIComponent(backup)}/download?${new URLSearchParams({ app, volume, path: file.path })}`;

const ICONS = { file: "file-text", folder: "folder", link: "link", other: "help" } as const;

const keyOf = ({ backup, volume, file }: FileRow): string =>
  JSON.stringify([backup, volume.app, volume.volume, file.path, file.changed_at]);

/** Files and folders that can be saved. */
export function SavedFiles<Row extends Pick<FileRow, "file" | "note">>({
  label,
  rows,
  keyOf,
  hrefOf,
  onOpen,
  more,
}: {
  label: string;
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Where what is in it comes from. */
  hrefOf: (row: Row) => string;
  onOpen: (row: Row) => void;
  /** What else can be done with it. */
  more?: (row: Row) => ComponentChildren;
}) {
  const columns: Column<Row>[] = [
    {
      id: "name",
      title: "Name",
      cell: (row) => (
        <span class="treename">
          <Icon name={ICONS[row.file.kind]} />
          <span class="backuppath">
            {row.file.kind === "folder" ? (
              <button type="button" class="link" onClick={() => onOpen(row)}>
                {row.file.name}
              </button>
            ) : (
              row.file.name
            )}
            {row.file.link !== null && <span class="c3">{` leads to ${row.file.link}`}</span>}
            {row.note !== undefined && <span class="backupnote t13 c3">{row.note}</span>}
          </span>
        </span>
      ),
    },
    {
      id: "size",
      title: "Size",
      number: true,
      cell: ({ file }) => (file.kind === "file" ? bytesText(file.size_bytes) : ""),
    },
    { id: "changed", title: "Changed", wide: true, cell: ({ file }) => moment(file.changed_at) },
    {
      id: "acts",
      title: "",
      cell: (row) => (
        <span class="acts row">
          {(row.file.kind === "file" || row.file.kind === "folder") && (
            <IconButton
              size="sm"
              icon="download"
              label={`Download ${row.file.name}`}
              onClick={() => void saveFrom(hrefOf(row))}
            />
          )}
          {more?.(row)}
        </span>
      ),
    },
  ];
  return <DataTable label={label} folds columns={columns} rows={rows} keyOf={keyOf} />;
}

/** Files and folders of backups, with the ways back. */
export function FileTable({ label, rows, onOpen }: { label: string; rows: FileRow[]; onOpen: (row: FileRow) => void }) {
  const [asked, ask] = useState<FileRow | null>(null);
  return (
    <>
      <SavedFiles
        label={label}
        rows={rows}
        keyOf={keyOf}
        hrefOf={hrefOf}
        onOpen={onOpen}
        more={(row) =>
          row.volume.is_here && (
            <IconButton size="sm" icon="sync" label={`Put ${row.file.name} back`} onClick={() => ask(row)} />
          )
        }
      />
      {asked !== null && <PutBackDialog row={asked} onClose={() => ask(null)} />}
    </>
  );
}
