import { useRef, useState } from "preact/hooks";
import type { FileEntry } from "../../../../src/node/apps/app-files/contract.ts";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { ago, bytesText, moment } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, IconButton, LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { saveFrom } from "../../client/save-from.ts";
import { NameDialog } from "./name-dialog.tsx";
import { UploadDialog } from "./upload-dialog.tsx";

const icons = { folder: "folder", file: "file-text", link: "link", other: "plug" } as const;
const kindWords = { link: "Link, not followed", other: "Neither file nor folder" } as const;

type Asking =
  | { kind: "folder" }
  | { kind: "upload"; file: File }
  | { kind: "rename" | "remove"; entry: FileEntry }
  | null;

/** The files that an app keeps in its volumes. */
export function FilesTab({ app }: { app: AppDetail }) {
  const names = app.volumes.map(({ name }) => name);
  const volume = names.find((name) => name === query.value.get("volume")) ?? names[0];
  if (volume === undefined)
    return (
      <Card title="Files">
        <EmptyState title="It keeps nothing">This app has no volumes, so there are no files to look at.</EmptyState>
      </Card>
    );
  // Asked for again once an install has made it.
  return <Volume key={`${volume} ${app.installed_at}`} app={app} names={names} volume={volume} />;
}

function Volume({ app, names, volume }: { app: AppDetail; names: readonly string[]; volume: string }) {
  const path = query.value.get("path") ?? "";
  const [asking, ask] = useState<Asking>(null);
  const files = useResource("GET /api/apps/{id}/files", { path: { id: app.id }, query: { volume, path } });
  const input = useRef<HTMLInputElement>(null);
  const close = () => ask(null);
  const goTo = (next: string) => setQuery({ volume, path: next }, { isStep: true });
  const inside = (name: string) => (path === "" ? name : `${path}/${name}`);
  const done = (words: string) => {
    toast(words);
    close();
    void files.refresh();
  };

  const download = (place: string): Promise<void> =>
    saveFrom(`/api/apps/${encodeURIComponent(app.id)}/files/content?${new URLSearchParams({ volume, path: place })}`);
  const remove = async ({ name }: FileEntry): Promise<void> => {
    await api("DELETE /api/apps/{id}/files", { path: { id: app.id }, query: { volume, path: inside(name) } });
    done(`${name} is removed.`);
  };
  const itemsOf = (entry: FileEntry): MenuItem[] => [
    ...(entry.kind === "file" || entry.kind === "folder"
      ? [
          {
            label: entry.kind === "file" ? "Download" : "Download as tar",
            icon: "download" as const,
            run: () => void download(inside(entry.name)),
          },
        ]
      : []),
    { label: "Rename", icon: "edit", run: () => ask({ kind: "rename", entry }) },
    { label: "Delete", icon: "trash", danger: true, run: () => ask({ kind: "remove", entry }) },
  ];
  if (files.problem.value?.code === "app_volume_not_found") return <NotMade app={app} />;
  return (
    <>
      <Card
        title="Files"
        class="filescard"
        actions={
          <span class="row">
            {names.length > 1 && (
              <Select
                label="Volume"
                size="sm"
                value={volume}
                options={names.map((name) => ({ value: name, label: name }))}
                onValue={(next) => setQuery({ volume: next, path: null }, { isStep: true })}
              />
            )}
            <IconButton size="sm" icon="sync" label="Load again" onClick={() => void files.refresh()} />
            <Button size="sm" icon="plus" onClick={() => ask({ kind: "folder" })}>
              New folder
            </Button>
            <Button size="sm" icon="upload" onClick={() => input.current?.click()}>
              Upload
            </Button>
            <input
              ref={input}
              type="file"
              hidden
              aria-label="File to upload"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                // The same file may be chosen again.
                currentTarget.value = "";
                if (file !== undefined) ask({ kind: "upload", file });
              }}
            />
          </span>
        }
      >
        <Way volume={volume} path={path} onGo={goTo} onDownload={() => void download(path)} />
        <Loaded of={files} what="This folder" skeleton={<Skeleton rows={5} />}>
          {({ entries, is_cut }) =>
            entries.length === 0 ? (
              <EmptyState title="Nothing in here">The app has put nothing into this folder.</EmptyState>
            ) : (
              <>
                <DataTable
                  label={`Files in ${path === "" ? volume : path}`}
                  folds
                  columns={columns((entry) => goTo(inside(entry.name)), itemsOf)}
                  rows={entries}
                  keyOf={({ name }) => name}
                />
                {is_cut && (
                  <p class="fileshint c2 t13">
                    There is more in this folder than is shown. Download it to see everything.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      </Card>
      {asking?.kind === "folder" && (
        <NameDialog
          title="New folder"
          action="Make folder"
          name=""
          send={(name) =>
            api("POST /api/apps/{id}/files/folders", { path: { id: app.id }, body: { volume, path, name } })
          }
          onDone={(name) => done(`The folder ${name} is made.`)}
          onClose={close}
        />
      )}
      {asking?.kind === "upload" && (
        <UploadDialog
          to={{ appId: app.id, volume, path }}
          file={asking.file}
          onDone={() => done(`${asking.file.name} is here.`)}
          onClose={() => {
            close();
            void files.refresh();
          }}
        />
      )}
      {asking?.kind === "rename" && (
        <NameDialog
          title={`Rename ${asking.entry.name}`}
          action="Rename"
          name={asking.entry.name}
          send={(name) =>
            api("POST /api/apps/{id}/files/rename", {
              path: { id: app.id },
              body: { volume, path: inside(asking.entry.name), name },
            })
          }
          onDone={(name) => done(`It is called ${name} now.`)}
          onClose={close}
        />
      )}
      {asking?.kind === "remove" && (
        <ConfirmDanger
          title={`Delete ${asking.entry.name}?`}
          typed={null}
          action="Delete for good"
          onConfirm={() => remove(asking.entry)}
          onClose={close}
        >
          {asking.entry.kind === "folder" ? "The folder goes with all that is in it. " : ""}
          {app.status === "running" ? "The app runs and may need it. " : ""}
          There is no way back.
        </ConfirmDanger>
      )}
    </>
  );
}

/** Docker has no such volume: nothing can be put into it either. */
function NotMade({ app }: { app: AppDetail }) {
  const never = app.installed_at === null;
  return (
    <Card title="Files">
      <EmptyState
        title="Its folders are not made yet"
        action={<LinkButton href={`/apps/${app.id}`}>Overview</LinkButton>}
      >
        {never ? "They come with the install." : "Docker makes them when the app starts."}
      </EmptyState>
    </Card>
  );
}

/** Where one is, each folder a step back. */
function Way({
  volume,
  path,
  onGo,
  onDownload,
}: {
  volume: string;
  path: string;
  onGo: (path: string) => void;
  onDownload: () => void;
}) {
  const parts = path === "" ? [] : path.split("/");
  const steps = [{ name: volume, path: "" }].concat(
    parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join("/") })),
  );
  return (
    <nav class="filesway" aria-label="Folder">
      <ol>
        {steps.map((step, index) => (
          <li key={step.path}>
            {index === steps.length - 1 ? (
              <b aria-current="location">{step.name}</b>
            ) : (
              <button type="button" class="link" onClick={() => onGo(step.path)}>
                {step.name}
              </button>
            )}
          </li>
        ))}
      </ol>
      <IconButton size="sm" icon="download" label="Download this folder as tar" onClick={onDownload} />
    </nav>
  );
}

function columns(open: (entry: FileEntry) => void, itemsOf: (entry: FileEntry) => MenuItem[]): Column<FileEntry>[] {
  return [
    {
      id: "name",
      title: "Name",
      cell: (entry) => (
        <span class="filename">
          <Icon name={icons[entry.kind]} />
          {entry.kind === "folder" ? (
            <button type="button" class="link cut" title={entry.name} onClick={() => open(entry)}>
              {entry.name}
            </button>
          ) : (
            <span class="cut" title={entry.name}>
              {entry.name}
            </span>
          )}
        </span>
      ),
    },
    {
      id: "size",
      title: "Size",
      number: true,
      cell: (entry) =>
        entry.kind === "file" ? (
          bytesText(entry.size_bytes)
        ) : (
          <span class="c3">{entry.kind === "folder" ? "Folder" : kindWords[entry.kind]}</span>
        ),
    },
    {
      id: "changed",
      title: "Changed",
      wide: true,
      cell: ({ modified_at }) => (
        <span class="c3" data-tip={moment(modified_at)}>
          {ago(modified_at)}
        </span>
      ),
    },
    { id: "mode", title: "Mode", wide: true, cell: ({ mode }) => <span class="mono c3">{mode}</span> },
    {
      id: "acts",
      title: "",
      cell: (entry) => (
        <Menu
          label={`What to do with ${entry.name}`}
          trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More for ${entry.name}`} />}
          items={itemsOf(entry)}
        />
      ),
    },
  ];
}
