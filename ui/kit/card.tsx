import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import type { IconName } from "../icons/names.ts";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Icon } from "./icon.tsx";
import { Glyph, type State } from "./status.tsx";

interface CardProps {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  actions?: ComponentChildren;
  foot?: ComponentChildren;
  class?: string;
  /** Its width in columns of twelve, and on phones. */
  w?: number;
  children: ComponentChildren;
}

/** A titled box with rows and rules; never holds another card. */
export function Card({ title, aside, actions, foot, class: extra = "", w, children }: CardProps) {
  const id = useId();
  const style: Record<string, string> = w === undefined ? {} : { "--w": String(w) };
  return (
    <section class={`card ${extra}`} style={style} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header class="card-h">
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <span class="t13 c3 cut aside">{aside}</span>}
          {actions !== undefined && <span class="row push">{actions}</span>}
        </header>
      )}
      {children}
      {foot !== undefined && <footer class="card-f">{foot}</footer>}
    </section>
  );
}

/** Nothing here yet: what will appear, and the one action that makes it appear. */
export function EmptyState({
  title,
  children,
  action,
  page = false,
}: {
  title: string;
  children: ComponentChildren;
  action?: ComponentChildren;
  /** Set where it is all there is on the page: its title is then the heading. */
  page?: boolean;
}) {
  return (
    <div class="empty">
      <svg class="rings" viewBox="0 0 72 72" aria-hidden="true">
        <circle cx="36" cy="36" r="34" />
        <circle cx="36" cy="36" r="22" />
        <circle class="core" cx="36" cy="36" r="5" />
      </svg>
      {page ? <h1 class="w6">{title}</h1> : <p class="w6">{title}</p>}
      <p>{children}</p>
      {action}
    </div>
  );
}

interface ErrorCardProps {
  /** What happened. */
  title: string;
  /** Why. */
  why: ComponentChildren;
  /** What to do, when there is more to it than the button. */
  remedy?: ComponentChildren;
  action?: { label: string; run: () => void };
  /** For support; can be copied. */
  code: string;
  /** Set where it is all there is on the page: its title is then the heading. */
  page?: boolean;
}

/** What happened, why, what to do, one button, and a code to pass on. */
export function ErrorCard({ title, why, remedy, action, code, page = false }: ErrorCardProps) {
  return (
    <div class="empty" role="alert">
      <Glyph state="crit" />
      {page ? <h1 class="w6">{title}</h1> : <p class="w6">{title}</p>}
      <p>{why}</p>
      {remedy !== undefined && remedy !== null && <p>{remedy}</p>}
      {action !== undefined && (
        <Button size="sm" onClick={action.run}>
          {action.label}
        </Button>
      )}
      <Copy text={code} label="Copy the code" quiet />
    </div>
  );
}

/** A part that this plan or role does not have: says which one has it. */
export function LockedPart({
  title,
  children,
  icon = "lock",
}: {
  title: string;
  children: ComponentChildren;
  icon?: IconName;
}) {
  return (
    <div class="empty">
      <Icon name={icon} class="c3" />
      <p class="w6">{title}</p>
      <p>{children}</p>
    </div>
  );
}

/** Grey shapes of the final size, shown only when loading takes longer than 150 ms. */
export function Skeleton({ rows = 3, tile = false, height }: { rows?: number; tile?: boolean; height?: number }) {
  const late = useLate(150);
  const style: Record<string, string> = height === undefined ? {} : { height: `${height}px` };
  return (
    <div class={`skeleton ${late ? "" : "wait"}`} style={style} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div class="item" key={index}>
          {tile && <span class="tile sk" />}
          <span class="body">
            <span class="sk" style={{ width: `${70 - ((index * 17) % 40)}%` }} />
            <span class="sk" style={{ width: `${45 - ((index * 11) % 20)}%` }} />
          </span>
        </div>
      ))}
    </div>
  );
}

function useLate(ms: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return late;
}

/** A line across the page that something is wrong, with its button. */
export function Banner({
  state,
  children,
  action,
}: {
  state: Extract<State, "warn" | "crit" | "info">;
  children: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class={`banner ${state}`} role={state === "info" ? "status" : "alert"}>
      <Glyph state={state} />
      <span>{children}</span>
      {action}
    </div>
  );
}
