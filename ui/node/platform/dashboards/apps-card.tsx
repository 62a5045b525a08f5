import type { App } from "../../../../src/node/apps/apps/contract.ts";
import type { Resource } from "../../../client/resource.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { AppLink } from "../../apps/apps/app-link.tsx";
import { isAdmin } from "../../client/session.ts";

/** All apps as a grid, with what each is doing. */
export function AppsCard({ apps }: { apps: Resource<App[]> }) {
  const list = apps.data.value ?? [];
  const running = list.filter((app) => app.status === "running").length;
  const aside =
    list.length === 0
      ? undefined
      : running === list.length
        ? `${running} running`
        : `${running} running, ${list.length - running} not`;
  return (
    <Card
      class="w-8"
      title="Apps"
      {...(aside === undefined ? {} : { aside })}
      actions={
        isAdmin() && (
          <LinkButton href="/store" kind="ghost" size="sm" icon="plus">
            Install
          </LinkButton>
        )
      }
    >
      <Loaded of={apps} what="Apps" skeleton={<Skeleton rows={3} tile height={200} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              title="Nothing in orbit yet"
              action={isAdmin() && <LinkButton href="/store">Open the store</LinkButton>}
            >
              {isAdmin()
                ? "Install your first app and it appears here."
                : "Apps appear here once an administrator installs them."}
            </EmptyState>
          ) : (
            <ul class="appgrid sep">
              {data.map((app) => (
                <li key={app.id}>
                  <AppLink app={app} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
