import { useRef, useState } from "preact/hooks";
import type { StoredObject } from "../../../../src/node/storage/objects/contract.ts";
import { ago, bytesText, moment } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { type Column, DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { saveFrom } from "../../client/save-from.ts";
import { UploadDialog } from "./upload-dialog.tsx";

type Row = { kind: "folder"; key: string } | ({ kind: "object" } & StoredObject);

/** What is in a bucket, level by level. */
export function Browser({ bucket }: { bucket: string }) {
  const prefix = query.value.get("prefix") ?? "";
  const after = query.value.get("after") ?? "";
  const page = useResource("GET /api/objects/buckets/{name}/objects", {
    path: { name: bucket },
    query: { prefix, after },
  });
  const [asking, ask] = useState<{ files: File[] } | { remove: string } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const close = () => ask(null);
  const done = (words: string) => {
    toast(words);
    close();
    void page.refresh();
  };
  const goTo = (next: string) => setQuery({ prefix: next === "" ? null : next, after: null }, { isStep: true });
  const download = (key: string): Promise<void> =>
    saveFrom(`/api/objects/buckets/${encodeURIComponent(bucket)}/content?${new URLSearchParams({ key })}`);
  const remove = async (key: string): Promise<void> => {
    await api("DELETE /api/objects/buckets/{name}/content", { path: { name: bucket }, query: { key } });
    done(`${key} is removed.`);
  };
  const upload = (
    <Button size="sm" icon="upload" onClick={() => input.current?.click()}>
      Upload
    </Button>
  );
  return (
    <>
      <Card
        title="Objects"
        class="objectscard"
        actions={
          <span class="row">
            <IconButton size="sm" icon="sync" label="Load again" onClick={() => void page.refresh()} />
            {(page.data.value?.objects.length ?? 0) + (page.data.value?.folders.length ?? 0) > 0 && upload}
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label="Files to upload"
              onChange={({ currentTarget }) => {
                const files = [...(currentTarget.files ?? [])];
                // The same file may be chosen again.
                currentTarget.value = "";
                if (files.length > 0) ask({ files });
              }}
            />
          </span>
        }
      >
        <Way bucket={bucket} prefix={prefix} onGo={goTo} />
        <Loaded of={page} what="This bucket" skeleton={<Skeleton rows={5} />}>
          {({ folders, objects, next }) =>
            folders.length + objects.length === 0 ? (
              <EmptyState title="Nothing in here" action={upload}>
                Send files from here, or let a program with an access key store some.
              </EmptyState>
            ) : (
              <>
                <DataTable
                  label={`Objects in ${bucket}/${prefix}`}
                  folds
                  columns={columns(prefix, { open: goTo, download, remove: (key) => ask({ remove: key }) })}
                  rows={[
                    ...folders.map((key): Row => ({ kind: "folder", key })),
                    ...objects.map((object): Row => ({ kind: "object", ...object })),
                  ]}
                  keyOf={({ kind, key }) => `${kind} ${key}`}
                />
                {(next !== null || after !== "") && (
                  <p class="objectsmore row">
                    {after !== "" && (
                      <Button size="sm" onClick={() => setQuery({ after: null }, { isStep: true })}>
                        First page
                      </Button>
                    )}
                    {next !== null && (
                      <Button size="sm" onClick={() => setQuery({ after: next }, { isStep: true })}>
                        Next page
                      </Button>
                    )}
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      </Card>
      {asking !== null && "files" in asking && (
        <UploadDialog
          bucket={bucket}
          prefix={prefix}
          files={asking.files}
          onDone={() => done(asking.files.length === 1 ? `${asking.files[0]?.name} is here.` : "The files are here.")}
          onClose={() => {
            close();
            void page.refresh();
          }}
        />
      )}
      {asking !== null && "remove" in asking && (
        <ConfirmDanger
          title={`Delete ${asking.remove}?`}
          typed={null}
          action="Delete for good"
          onConfirm={() => remove(asking.remove)}
          onClose={close}
        >
          There is no way back.
        </ConfirmDanger>
      )}
    </>
  );
}

/** Where one is, each step a way back. */
function Way({ bucket, prefix, onGo }: { bucket: string; prefix: string; onGo: (prefix: string) => void }) {
  const parts = prefix.split("/").slice(0, -1);
  const steps = [{ name: bucket, prefix: "" }].concat(
    parts.map((name, index) => ({ name: name || "(empty)", prefix: `${parts.slice(0, index + 1).join("/")}/` })),
  );
  return (
    <nav class="treeway" aria-label="Place in the bucket">
      <ol>
        <li>
          <button
            type="button"
            class="link"
            onClick={() => setQuery({ bucket: null, prefix: null, after: null }, { isStep: true })}
          >
            All buckets
          </button>
        </li>
        {steps.map((step, index) => (
          <li key={step.prefix}>
            {index === steps.length - 1 ? (
              <b aria-current="location">{step.name}</b>
            ) : (
              <button type="button" class="link" onClick={() => onGo(step.prefix)}>
                {step.name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface Acts {
  open: (key: string) => void;
  download: (key: string) => Promise<void>;
  remove: (key: string) => void;
}

function columns(prefix: string, { open, download, remove }: Acts): Column<Row>[] {
  const nameOf = ({ key }: Row) => key.slice(prefix.length) || "(empty)";
  return [
    {
      id: "name",
      title: "Name",
      cell: (row) => (
        <span class="treename">
          <Icon name={row.kind === "folder" ? "folder" : "file-text"} />
          {row.kind === "folder" ? (
            <button type="button" class="link cut" title={row.key} onClick={() => open(row.key)}>
              {nameOf(row)}
            </button>
          ) : (
            <span class="cut" title={row.key}>
              {nameOf(row)}
            </span>
          )}
        </span>
      ),
    },
    {
      id: "size",
      title: "Size",
      number: true,
      cell: (row) => (row.kind === "object" ? bytesText(row.size_bytes) : <span class="c3">Folder</span>),
    },
    {
      id: "changed",
      title: "Changed",
      wide: true,
      cell: (row) =>
        row.kind === "object" && (
          <span class="c3" data-tip={moment(row.modified_at)}>
            {ago(row.modified_at)}
          </span>
        ),
    },
    {
      id: "acts",
      title: "",
      cell: (row) =>
        row.kind === "object" && (
          <span class="acts row">
            <IconButton
              size="sm"
              icon="download"
              label={`Download ${nameOf(row)}`}
              onClick={() => void download(row.key)}
            />
            <IconButton size="sm" icon="trash" label={`Delete ${nameOf(row)}`} onClick={() => remove(row.key)} />
          </span>
        ),
    },
  ];
}
