import { useEffect, useState } from "preact/hooks";
import type { SharedTree } from "../../../../src/node/storage/shares/contract.ts";
import { ago, bytesText } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { AddFiles } from "./add-files.tsx";
import { DownloadLink } from "./download-link.tsx";

/** What lies in a shared folder, and the folders in it. */
export function SharedFolder({
  token,
  pass,
  mayAdd,
  onUsed,
}: {
  token: string;
  pass: string | null;
  mayAdd: boolean;
  onUsed: () => void;
}) {
  const [folder, setFolder] = useState<string | null>(null);
  const [tree, setTree] = useState<SharedTree | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const load = async (after: string | null): Promise<void> => {
    const query = {
      ...(folder === null ? {} : { folder_id: folder }),
      ...(after === null ? {} : { after }),
      ...(pass === null ? {} : { pass }),
    };
    try {
      const page = await api("GET /api/shares/{token}/tree", { path: { token }, query, anonymous: true });
      setTree((before) =>
        after === null || before === null ? page : { ...page, nodes: [...before.nodes, ...page.nodes] },
      );
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  useEffect(() => {
    setTree(null);
    void load(null);
  }, [folder]);
  if (problem !== null) return <Refusal problem={problem} wait={0} />;
  if (tree === null) return <Skeleton rows={4} />;
  return (
    <section class="card" aria-label="What is in it">
      {tree.path.length > 0 && (
        <nav class="card-b row treeway" aria-label="Place in the folder">
          <button type="button" class="link" onClick={() => setFolder(null)}>
            All
          </button>
          {tree.path.map(({ id, name }, at) =>
            at === tree.path.length - 1 ? (
              <b key={id} aria-current="location">
                {name}
              </b>
            ) : (
              <button key={id} type="button" class="link" onClick={() => setFolder(id)}>
                {name}
              </button>
            ),
          )}
        </nav>
      )}
      {tree.nodes.length === 0 && <p class="card-b sharednone c3">Nothing in here.</p>}
      <ul class="rows" aria-label="Files and folders">
        {tree.nodes.map(({ id, kind, name, size_bytes, changed_at }) => (
          <li key={id} class="item">
            <Icon name={kind === "folder" ? "folder" : "file-text"} />
            <div class="body col">
              {kind === "folder" ? (
                <button type="button" class="link sharedname" onClick={() => setFolder(id)}>
                  {name}
                </button>
              ) : (
                <span class="sharedname">{name}</span>
              )}
              <span class="t13 c3">{kind === "file" ? `${bytesText(size_bytes)}, ${ago(changed_at)}` : "Folder"}</span>
            </div>
            <DownloadLink
              token={token}
              pass={pass}
              name={kind === "file" ? name : `${name}.zip`}
              node={id}
              onUsed={onUsed}
            />
          </li>
        ))}
      </ul>
      {tree.next !== null && (
        <div class="card-b">
          <Button size="sm" onClick={() => void load(tree.next)}>
            More
          </Button>
        </div>
      )}
      {mayAdd && <AddFiles token={token} pass={pass} folder={folder} onAdded={() => void load(null)} />}
    </section>
  );
}
