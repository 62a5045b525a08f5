import type { Problem } from "../../../client/problem.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Chip } from "../../../kit/status.tsx";

/** A part that another plan has: what it would give, what this plan has instead, and how a plan is changed. */
export function Gated({
  problem,
  title,
  gives,
  instead,
}: {
  problem: Problem;
  title: string;
  /** What it would show, one line each. */
  gives: string[];
  /** What there is without it. */
  instead: { text: string; href: string; label: string };
}) {
  const name = (key: string): string => {
    const value = problem.params[key];
    return typeof value === "string" ? value : "";
  };
  return (
    <div class="gated">
      <p class="row">
        <Chip state="acc">From the {name("required_plan")} plan</Chip>
      </p>
      <p class="w6">{title}</p>
      <ul>
        {gives.map((line) => (
          <li key={line} class="row">
            <Icon name="check" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
      <p class="t13 c3">
        This server is on the {name("current_plan")} plan. <a href="/settings/plan">What the plans include</a>
      </p>
      <p class="row wrap">
        <span class="t13">{instead.text}</span>
        <LinkButton size="sm" href={instead.href}>
          {instead.label}
        </LinkButton>
      </p>
    </div>
  );
}
