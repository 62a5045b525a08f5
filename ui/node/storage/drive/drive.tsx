import { navigate, query } from "../../../client/router.ts";
import { wish } from "../../../client/wish.ts";
import { adoptStyles } from "../../../kit/adopt-styles.ts";
import { Button } from "../../../kit/button.tsx";
import { Tabs } from "../../../kit/tabs.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { SharedFiles } from "../shares/shared-files.tsx";
import styles from "./drive-late.css";
import { Finds } from "./finds.tsx";
import { Folder } from "./folder.tsx";
import { TransferTray } from "./transfer-tray.tsx";
import { Trash } from "./trash.tsx";

adoptStyles(styles);

/** File managers and other programs come in with a password of their own, which is made where the other ways in are. */
function openElsewhere(): void {
  navigate("/security");
  wish("webdav");
}

function Elsewhere() {
  return (
    <Button size="sm" icon="link" onClick={openElsewhere}>
      Open in another program
    </Button>
  );
}

/** Who may only look has nothing to open in a Drive that is empty, and cannot fill it. */
function ElsewhereIfFilled() {
  const { data } = useResource("GET /api/drive/tree", { query: {} });
  return (data.value?.nodes.length ?? 0) === 0 ? null : <Elsewhere />;
}

/** Files and folders of the one who is signed in, and what they put into the trash. */
export function Drive() {
  const view = query.value.get("view");
  const q = query.value.get("q") ?? "";
  const folder = query.value.get("folder") ?? "";
  return (
    <div class="page">
      <header class="head">
        <h1>Drive</h1>
        <span class="t13 c3 no-sm">Your files, kept on this server</span>
        <span class="push">{mayChangeThings() ? <Elsewhere /> : <ElsewhereIfFilled />}</span>
      </header>
      <Tabs
        label="Parts of the Drive"
        current={view === "trash" || view === "starred" || view === "shared" ? view : "files"}
        tabs={[
          { id: "files", label: "Files", href: "/drive" },
          { id: "starred", label: "Starred", href: "/drive?view=starred" },
          { id: "shared", label: "Shared", href: "/drive?view=shared" },
          { id: "trash", label: "Trash", href: "/drive?view=trash" },
        ]}
      />
      {view !== "trash" && view !== "shared" && <QuerySearch label="Search the Drive" value={q} />}
      {view === "trash" ? (
        <Trash />
      ) : view === "shared" ? (
        <SharedFiles />
      ) : view === "starred" || q !== "" ? (
        <Finds q={q} starred={view === "starred"} />
      ) : (
        <Folder key={folder} id={folder} />
      )}
      <TransferTray />
    </div>
  );
}
