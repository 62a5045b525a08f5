import { LinkButton } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { LazyTerminal } from "./lazy-panel.ts";

/** A terminal in one container, on a page of its own. */
export function TerminalScreen({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  if (!isAdmin())
    return (
      <EmptyState page title="Terminals are for admins" action={<LinkButton href="/containers">Containers</LinkButton>}>
        Ask an admin of this server to do it, or to give you that role.
      </EmptyState>
    );
  return <Opened id={id} />;
}

function Opened({ id }: { id: string }) {
  const container = useResource("GET /api/containers/{id}", { path: { id } });
  useCrumb(container.data.value?.name ?? null);
  return (
    <div class="page">
      <Loaded of={container} what="The container" skeleton={<Skeleton rows={4} tile height={400} />}>
        {({ name }) => (
          <>
            <header class="head">
              <h1 class="cut">{name}</h1>
              <div class="btns push">
                <LinkButton href={`/containers?container=${encodeURIComponent(id)}`}>Details</LinkButton>
              </div>
            </header>
            <LazyTerminal key={id} container={id} name={name} />
          </>
        )}
      </Loaded>
    </div>
  );
}
