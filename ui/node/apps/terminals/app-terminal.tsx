import { useState } from "preact/hooks";
import type { AppDetail } from "../../../../src/node/apps/apps/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { LazyTerminal } from "./lazy-panel.ts";

/** A terminal in one of the containers of an app. */
export function AppTerminal({ app }: { app: AppDetail }) {
  const containers = useResource("GET /api/containers");
  const [chosen, choose] = useState("");
  return (
    <Loaded of={containers} what="The containers of this app" skeleton={<Skeleton rows={4} tile height={400} />}>
      {(list) => {
        const own = list.filter(({ owner, state }) => owner?.app_id === app.id && state === "running");
        const current = own.find(({ id }) => id === chosen) ?? own[0];
        if (current === undefined)
          return (
            <EmptyState title="Nothing of it runs" action={<LinkButton href={`/apps/${app.id}`}>Overview</LinkButton>}>
              A terminal needs a container that runs. Start the app first.
            </EmptyState>
          );
        const options = own.map(({ id, name, labels }) => ({ value: id, label: labels["orrery.service"] ?? name }));
        return (
          <div class="stack">
            {own.length > 1 && <Select label="Container" value={current.id} options={options} onValue={choose} />}
            <LazyTerminal key={current.id} container={current.id} name={current.name} />
          </div>
        );
      }}
    </Loaded>
  );
}
