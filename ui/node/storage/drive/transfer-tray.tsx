import { useEffect, useRef, useState } from "preact/hooks";
import type { DriveUpload } from "../../../../src/node/storage/drive/contract.ts";
import { bytesText, count } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import {
  addTransfers,
  cancelTransfer,
  clearTransfers,
  giveUp,
  retryTransfer,
  type Transfer,
  transfers,
} from "./transfers.ts";

/** Rows that are shown; there may be thousands after a folder was dropped. */
const SHOWN = 50;
const order = { failed: 0, sending: 1, waiting: 2, done: 3 };

/** Files on their way into the Drive, and those that were interrupted. */
export function TransferTray() {
  const uploads = useResource("GET /api/drive/uploads");
  const all = transfers.value;
  const open = all.filter(({ state }) => state === "waiting" || state === "sending").length;
  const openBefore = useRef(open);
  // What ended or was given up is no interrupted upload any more.
  useEffect(() => {
    if (openBefore.current !== open) void uploads.refresh();
    openBefore.current = open;
  }, [open]);
  const [isFolded, setFolded] = useState(false);
  const known = new Set(all.map(({ upload_id }) => upload_id));
  const interrupted = mayChangeThings()
    ? (uploads.data.value?.uploads ?? []).filter(({ upload_id }) => !known.has(upload_id) && open === 0)
    : [];
  if (all.length + interrupted.length === 0) return null;
  const failed = all.filter(({ state }) => state === "failed").length;
  const rows = all.toSorted((a, b) => order[a.state] - order[b.state]).slice(0, SHOWN);
  const forget = async ({ upload_id, name }: DriveUpload): Promise<void> => {
    await giveUp(upload_id);
    toast(`${name} was given up.`);
    void uploads.refresh();
  };
  return (
    <section class="drivetray" aria-label="Transfers">
      <header class="row">
        <h2 class="w6" aria-live="polite">
          {titleOf(open, failed, all.length, interrupted.length)}
        </h2>
        <span class="row push">
          {all.length > open && (
            <Button size="sm" onClick={clearTransfers}>
              Clear
            </Button>
          )}
          <IconButton
            size="sm"
            icon={isFolded ? "updown" : "minus"}
            label={isFolded ? "Show the transfers" : "Fold the transfers"}
            aria-expanded={!isFolded}
            onClick={() => setFolded(!isFolded)}
          />
        </span>
      </header>
      {!isFolded && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what may scroll must be reachable by keyboard.
        <ul tabIndex={0} aria-label="Files on their way">
          {interrupted.map((upload) => (
            <Interrupted key={upload.upload_id} upload={upload} onForget={() => void forget(upload)} />
          ))}
          {rows.map((transfer) => (
            <Row key={transfer.id} transfer={transfer} />
          ))}
          {all.length > rows.length && <li class="t13 c3">{`and ${count(all.length - rows.length, "more file")}`}</li>}
        </ul>
      )}
    </section>
  );
}

function titleOf(open: number, failed: number, all: number, interrupted: number): string {
  if (open > 0) return `Sending ${count(open, "file")}`;
  if (failed > 0) return `${count(failed, "file")} did not come`;
  if (all > 0) return `${count(all, "file")} sent`;
  return `${count(interrupted, "transfer")} interrupted`;
}

const percentOf = (bytes: number, size: number): number => (size === 0 ? 100 : (bytes / size) * 100);

function Row({ transfer }: { transfer: Transfer }) {
  const { chosen, state, sent_bytes, problem } = transfer;
  const { name, size } = chosen.file;
  const title = [...chosen.path, name].join("/");
  // A small file is one request, of which nothing is known until it ends.
  const value = sent_bytes === 0 ? null : percentOf(sent_bytes, size);
  return (
    <li>
      <p class="cut w5" title={title}>
        {title}
      </p>
      {state === "sending" && <Progress value={value} label={`Sending ${title}`} />}
      {state === "sending" && <p class="t13 c3">{`${bytesText(sent_bytes)} of ${bytesText(size)}`}</p>}
      {state === "waiting" && <p class="t13 c3">{`${bytesText(size)}, waits for its turn`}</p>}
      {state === "done" && <p class="t13 ok">{`Sent, ${bytesText(size)}`}</p>}
      {problem !== null && (
        <p class="t13 crit" role="alert">
          {problem.message}
        </p>
      )}
      <span class="acts row">
        {problem?.code === "drive_name_taken" && (
          <Button size="sm" aria-label={`Replace ${title}`} onClick={() => retryTransfer(transfer.id, true)}>
            Replace
          </Button>
        )}
        {state === "failed" && problem?.code !== "drive_name_taken" && (
          <IconButton
            size="sm"
            icon="restart"
            label={`Try ${title} again`}
            onClick={() => retryTransfer(transfer.id, transfer.replaces)}
          />
        )}
        <IconButton
          size="sm"
          icon="x"
          label={state === "done" ? `Take ${title} from the list` : `Cancel ${title}`}
          onClick={() => void cancelTransfer(transfer)}
        />
      </span>
    </li>
  );
}

function Interrupted({ upload, onForget }: { upload: DriveUpload; onForget: () => void }) {
  const { name, size_bytes, received_bytes, folder_id } = upload;
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.name !== name || file.size !== size_bytes)
      return toast(`That is another file. Choose ${name}, of ${bytesText(size_bytes)}.`, { state: "warn" });
    addTransfers([{ file, path: [], findFolder: () => Promise.resolve(folder_id) }]);
  };
  return (
    <li>
      <p class="cut w5" title={name}>
        {name}
      </p>
      <Progress value={percentOf(received_bytes, size_bytes)} label={`What came of ${name}`} />
      <p class="t13 c3">
        {`${bytesText(received_bytes)} of ${bytesText(size_bytes)} are here. Choose the file again to go on.`}
      </p>
      <span class="acts row">
        <Button size="sm" onClick={() => input.current?.click()} aria-label={`Go on with ${name}`}>
          Go on
        </Button>
        <IconButton size="sm" icon="x" label={`Give ${name} up`} onClick={onForget} />
      </span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`The file ${name}`}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = "";
          take(file);
        }}
      />
    </li>
  );
}
