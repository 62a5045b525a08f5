import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { LayoutSwitch } from "./layout-switch.tsx";
import { Nodes } from "./nodes.tsx";
import { openFolder } from "./shown.ts";

/** What has words in its name, or a star. */
export function Finds({ q, starred }: { q: string; starred: boolean }) {
  const finds = useResource("GET /api/drive/search", {
    query: { ...(q === "" ? {} : { q }), ...(starred ? { starred: true } : {}) },
  });
  return (
    <Card title={starred ? "Starred" : "Found"} class="drivecard" actions={<LayoutSwitch />}>
      <Loaded of={finds} what="The search" skeleton={<Skeleton rows={5} />}>
        {({ finds: rows, more }) =>
          rows.length === 0 ? (
            <EmptyState
              title={q === "" ? "Nothing has a star" : "Nothing of that name"}
              action={
                <Button size="sm" onClick={() => openFolder(null)}>
                  Show the files
                </Button>
              }
            >
              {q === "" ? "Mark what you come back to with a star." : "Names are searched, also parts of them."}
            </EmptyState>
          ) : (
            <>
              <Nodes label="What was found" rows={rows} onChanged={() => void finds.refresh()} />
              {more && <p class="drivemore t13 c3">There is more. Say more of the name to find it.</p>}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
