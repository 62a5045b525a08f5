import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { reachOf } from "../../apps/apps/app-state.ts";

const shownAtMost = 6;

/** When nothing needs anybody: the way into the apps themselves. */
export function QuickOpen({ apps }: { apps: App[] }) {
  const open = apps.flatMap((app) => {
    const reach = reachOf(app);
    return app.status === "running" && reach.kind === "open" ? [{ app, url: reach.url }] : [];
  });
  if (open.length === 0) return null;
  return (
    <nav class="quick" aria-label="Open an app">
      {open.slice(0, shownAtMost).map(({ app, url }) => (
        <LinkButton key={app.id} href={url} size="sm" icon="external" external>
          {app.display_name}
        </LinkButton>
      ))}
    </nav>
  );
}
