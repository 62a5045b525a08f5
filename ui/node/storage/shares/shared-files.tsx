import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";
import { ShareList } from "./share-list.tsx";

/** All links that whoever is signed in has made. */
export function SharedFiles() {
  const shares = useResource("GET /api/drive/shares");
  return (
    <Card title="Links">
      <Loaded of={shares} what="The links" skeleton={<Skeleton rows={3} />}>
        {({ shares: all }) =>
          all.length === 0 ? (
            <EmptyState title="Nothing is shared">
              {mayChangeThings()
                ? "Choose Share in the menu of a file or folder to give people a link to it."
                : "Your account may only look. Ask an admin to let you change things."}
            </EmptyState>
          ) : (
            <ShareList shares={all} isNamed onChanged={() => void shares.refresh()} />
          )
        }
      </Loaded>
    </Card>
  );
}
