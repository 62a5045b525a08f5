import { useState } from "preact/hooks";
import type { Place } from "../../../../src/node/storage/object-places/contract.ts";
import { ago, count, moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { PlaceDialog } from "./place-dialog.tsx";

const TITLES: Record<Place["kind"], string> = {
  embedded: "On this server",
  garage: "In a Garage cluster",
  s3: "In another store that speaks S3",
};

/** Who keeps the objects of programs, and the way to choose another. */
export function PlaceCard({ onChanged }: { onChanged: () => void }) {
  const place = useResource("GET /api/objects/place");
  const [isAsking, ask] = useState(false);
  const change = (
    <Button size="sm" onClick={() => ask(true)}>
      Change
    </Button>
  );
  return (
    <>
      <Card title="Where objects are kept" actions={place.data.value !== null && change} class="objectscard">
        <div class="card-b stack">
          <Loaded of={place} what="The place of the objects" skeleton={<Skeleton rows={1} />}>
            {(data) => <Kept place={data} />}
          </Loaded>
        </div>
      </Card>
      {isAsking && place.data.value !== null && (
        <PlaceDialog
          place={place.data.value}
          onClose={() => ask(false)}
          onChanged={(now) => {
            ask(false);
            toast(now.kind === "embedded" ? "This server keeps the objects." : "Objects are kept there from now on.");
            void place.refresh();
            onChanged();
          }}
        />
      )}
    </>
  );
}

function Kept({ place: { kind, endpoint, admin_url, changed_at, buckets_here } }: { place: Place }) {
  return (
    <>
      <p>
        <b>{TITLES[kind]}</b>
        {changed_at !== null && (
          <span class="c3" data-tip={moment(changed_at)}>
            {" "}
            since {ago(changed_at)}
          </span>
        )}
      </p>
      {kind === "embedded" ? (
        <p class="hint">
          In the node's own store: one machine, each object on its disk before it is acknowledged. For those who outgrow
          it, a Garage cluster of three servers or more takes its place.
        </p>
      ) : (
        <>
          {endpoint !== null && (
            <div class="field">
              <p class="label">S3</p>
              <CodeLine text={endpoint} />
            </div>
          )}
          {admin_url !== null && (
            <div class="field">
              <p class="label">Admin API</p>
              <CodeLine text={admin_url} />
            </div>
          )}
          <p class="hint">
            The Drive and its files stay on this server, and backups of this node have nothing of what is kept there.
            {buckets_here > 0 &&
              ` ${count(buckets_here, "bucket")} of this server ${buckets_here === 1 ? "is" : "are"} still here and still served to the keys that were made for ${buckets_here === 1 ? "it" : "them"}.`}
          </p>
        </>
      )}
    </>
  );
}
