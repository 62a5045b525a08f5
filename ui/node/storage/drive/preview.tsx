import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DriveNode, DriveView } from "../../../../src/node/storage/drive/contract.ts";
import { bytesText } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { api } from "../../client/api.ts";
import { iconOf } from "./kinds.ts";
import { Player } from "./player.tsx";
import { TextPreview } from "./text-preview.tsx";

interface PreviewProps {
  files: readonly DriveNode[];
  /** Which of them is looked at. */
  at: number;
  onGo: (at: number) => void;
  onDownload: (node: DriveNode) => void;
  onClose: () => void;
}

/** A file over the whole window; arrow keys go to the next, Escape closes. */
export function Preview({ files, at, onGo, onDownload, onClose }: PreviewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("h2")?.focus();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const node = files[at];
  if (node === undefined) return null;
  const go = (step: number): void => {
    if (files[at + step] !== undefined) onGo(at + step);
  };
  return (
    <dialog
      ref={dialog}
      class="drivepreview"
      aria-label={`Preview of ${node.name}`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLMediaElement || event.altKey) return;
        if (event.key === "ArrowLeft") go(-1);
        if (event.key === "ArrowRight") go(1);
      }}
    >
      <header class="row">
        <Icon name={iconOf(node)} />
        <div class="col">
          <h2 class="cut" tabIndex={-1} aria-live="polite">
            {node.name}
          </h2>
          <p class="t13 c3">{`${bytesText(node.size_bytes)}, ${at + 1} of ${files.length}`}</p>
        </div>
        <span class="row push">
          <IconButton icon="download" label={`Download ${node.name}`} onClick={() => onDownload(node)} />
          <IconButton icon="x" label="Close" onClick={onClose} />
        </span>
      </header>
      <div class="drivestage">
        <IconButton icon="left" label="Previous file" disabled={at === 0} onClick={() => go(-1)} />
        <Stage key={`${node.id} ${node.sha256}`} node={node} onDownload={() => onDownload(node)} />
        <IconButton icon="right" label="Next file" disabled={at === files.length - 1} onClick={() => go(1)} />
      </div>
    </dialog>
  );
}

function Stage({ node, onDownload }: { node: DriveNode; onDownload: () => void }) {
  const [view, setView] = useState<DriveView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    api("GET /api/drive/nodes/{id}/view", { path: { id: node.id }, signal: leaving.signal })
      .then(setView)
      .catch((error: unknown) => !leaving.signal.aborted && setProblem(asProblem(error).message));
    return () => leaving.abort();
  }, []);
  const isHeic = view?.media_type.startsWith("image/hei") === true;
  const what = isHeic ? "pictures in the HEIC format, as iPhones take them" : "this file";
  const cannot = () => setProblem(`This browser cannot show ${what}. Download it to open it.`);
  if (problem !== null || view?.url === null)
    return <Nothing words={problem ?? "There is no preview of files of this kind."} onDownload={onDownload} />;
  if (view === null) return <div class="driveview" aria-busy="true" />;
  const { kind, url } = view;
  return (
    <div class={`driveview ${kind}`}>
      {kind === "image" && <img src={url} alt={node.name} onError={cannot} />}
      {kind === "pdf" && <iframe src={url} title={node.name} />}
      {kind === "text" && <TextPreview url={url} name={node.name} onProblem={setProblem} />}
      {(kind === "audio" || kind === "video") && <Player node={node} view={view} onProblem={cannot} />}
    </div>
  );
}

function Nothing({ words, onDownload }: { words: string; onDownload: () => void }) {
  return (
    <div class="driveview none" role="status">
      <p>{words}</p>
      <Button icon="download" onClick={onDownload}>
        Download
      </Button>
    </div>
  );
}
