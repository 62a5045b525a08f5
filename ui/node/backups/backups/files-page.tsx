import type { ComponentChildren } from "preact";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";

/** A page about the files of one thing, with the way back to all backups. */
export function FilesPage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="page">
      <header class="head">
        <h1 class="cut">{title}</h1>
        <span class="push">
          <LinkButton href="/backups" icon="left" size="sm">
            All backups
          </LinkButton>
        </span>
      </header>
      {children}
    </div>
  );
}

/** Shown where there is nothing to look into. */
export function NothingHere({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <EmptyState title={title} action={<LinkButton href="/backups">Backups</LinkButton>}>
      {children}
    </EmptyState>
  );
}

/** Stands there until the answer comes. */
export function Waiting() {
  return (
    <Card>
      <Skeleton rows={5} />
    </Card>
  );
}
