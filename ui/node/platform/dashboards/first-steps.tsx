import { useState } from "preact/hooks";
import type { App } from "../../../../src/node/apps/apps/contract.ts";
import { look, recall, store } from "../../../client/preferences.ts";
import { IconButton, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const key = "orrery.first-steps";

/** A short list for the first days; goes by itself when all is done, or when told to. */
export function FirstSteps({ apps }: { apps: App[] }) {
  const [hidden, hide] = useState(recall(key)["hidden"] === true);
  if (hidden || !isAdmin()) return null;
  return (
    <Steps
      apps={apps}
      onHide={() => {
        store(key, JSON.stringify({ hidden: true }));
        hide(true);
      }}
    />
  );
}

function Steps({ apps, onHide }: { apps: App[]; onHide: () => void }) {
  const users = useResource("GET /api/users").data.value;
  const now = look.value;
  const steps = [
    { id: "app", title: "Install your first app", href: "/store", label: "Open the store", done: apps.length > 0 },
    {
      id: "look",
      title: "Make it yours: theme and accent",
      href: "/settings",
      label: "Choose",
      done: now.accent !== "nebula" || now.theme !== "dark",
    },
    {
      id: "users",
      title: "Give someone an account",
      href: "/users",
      label: "Add",
      done: users === null || users.length > 1,
    },
  ];
  const left = steps.filter((step) => !step.done);
  if (left.length === 0) return null;
  const next = left[0];
  return (
    <Card
      class="firststeps"
      title="First steps"
      aside={`${steps.length - left.length} of ${steps.length} done`}
      actions={<IconButton icon="x" label="Hide first steps" size="sm" onClick={onHide} />}
    >
      <ul class="rows sep">
        {steps.map((step) => (
          <li class="item" key={step.id}>
            <span class={`tick ${step.done ? "done" : ""}`}>{step.done && <Icon name="check" />}</span>
            <span class={`body ${step.done ? "c3" : "w5"}`}>
              {step.title}
              {step.done && <span class="sr">, done</span>}
            </span>
            {!step.done && (
              <LinkButton size="sm" href={step.href} kind={step === next && apps.length === 0 ? "primary" : "default"}>
                {step.label}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
