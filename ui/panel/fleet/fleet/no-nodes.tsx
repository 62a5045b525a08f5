import type { ComponentChildren } from "preact";
import { LinkButton } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { may } from "../../client/permissions.ts";

/** In place of a fleet's screen while it has no node; who may add one gets the way to it. */
export function NoNodes({ children }: { children: ComponentChildren }) {
  const mayEnrol = may("fleet:write");
  return (
    <EmptyState
      page
      title="No server is enrolled yet"
      action={
        mayEnrol ? (
          <LinkButton href="/enrol" kind="primary" icon="plus">
            Add node
          </LinkButton>
        ) : undefined
      }
    >
      {children}
      {mayEnrol ? "" : " Owners, admins and managers can add one."}
    </EmptyState>
  );
}
