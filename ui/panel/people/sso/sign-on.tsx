import type { ComponentChildren } from "preact";
import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";
import { LockedPart } from "../../../kit/card.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { CertificateEnd } from "./certificate-end.tsx";
import { DomainStep } from "./domain-step.tsx";
import { isKnown, placeOf, protocolNames } from "./place-of.ts";
import { ProviderStep } from "./provider-step.tsx";
import { RolesStep } from "./roles-step.tsx";
import { TestStep } from "./test-step.tsx";
import { TurnOnStep } from "./turn-on-step.tsx";
import type { Connector, Connectors, Domain } from "./types.ts";

const order = ["provider", "domain", "test", "roles", "turn-on"] as const;
type StepId = (typeof order)[number];

interface Step {
  id: StepId;
  title: string;
  sub: string;
  isDone: boolean;
}

/** How far the set-up is. */
function stepsOf(connector: Connector | null, domains: readonly Domain[]): Step[] {
  const proven = domains.filter(({ state }) => state !== "pending");
  const test = connector?.last_test ?? null;
  const tested = test === null ? "Nobody has signed in yet" : "Everything is there";
  const rules = connector?.role_rules.length ?? 0;
  const stateWords = { off: "Off", on: "On, beside the other ways in", enforced: "The only way in" };
  return [
    {
      id: "provider",
      title: "Provider",
      sub: connector === null ? "Where your people sign in" : placeOf(connector) || "Its metadata is missing",
      isDone: connector !== null && isKnown(connector),
    },
    {
      id: "domain",
      title: "Domain",
      sub: proven[0] === undefined ? "Prove that it is yours" : `Yours: ${proven.map(({ host }) => host).join(", ")}`,
      isDone: proven.length > 0,
    },
    {
      id: "test",
      title: "Test",
      sub: test !== null && !test.ok ? "Something to fix" : tested,
      isDone: connector?.tested === true,
    },
    {
      id: "roles",
      title: "Roles",
      sub: rules > 0 ? `${rules} ${rules === 1 ? "rule" : "rules"}` : "What people are here",
      isDone: rules > 0 || (connector?.default_role ?? null) !== null,
    },
    {
      id: "turn-on",
      title: "Turn on",
      sub: stateWords[connector?.state ?? "off"],
      isDone: connector !== null && connector.state !== "off",
    },
  ];
}

/** The workspace's own sign-in, step by step. */
export function SignOn() {
  const connectors = useResource("GET /api/sso/connectors");
  const domains = useResource("GET /api/domains");
  const refresh = async (): Promise<void> => {
    await Promise.all([connectors.refresh(), domains.refresh()]);
  };
  if (!may("settings:write", { ownRole: true }))
    return (
      <Frame>
        <LockedPart title="Not for your role">Owners and admins of the workspace set up how people sign in.</LockedPart>
      </Frame>
    );
  return (
    <Loaded of={connectors} what="Single sign-on">
      {(data) => (
        <Loaded of={domains} what="Domains">
          {({ items }) => <Wizard data={data} domains={items} onChanged={refresh} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function Frame({ sub, children }: { sub?: string; children: ComponentChildren }) {
  return (
    <div class="page">
      <header class="head">
        <h1>Single sign-on</h1>
        {sub !== undefined && <span class="t13 c3 cut">{sub}</span>}
      </header>
      {children}
    </div>
  );
}

/** What it speaks, and where it is. */
function subOf(connector: Connector | null): string {
  if (connector === null) return "OpenID Connect or SAML 2.0";
  return [protocolNames[connector.kind], placeOf(connector)].filter((part) => part !== "").join(", ");
}

function Wizard({ data, domains, onChanged }: { data: Connectors; domains: Domain[]; onChanged: () => Promise<void> }) {
  const connector = data.items[0] ?? null;
  const steps = stepsOf(connector, domains);
  const asked = order.find((id) => id === query.value.get("step"));
  const first = steps.find(({ isDone }) => !isDone)?.id ?? "turn-on";
  const shown = connector === null ? "provider" : (asked ?? first);
  const open = (id: StepId): void => setQuery({ step: id }, { isStep: true });
  const here = query.value.get("step");
  const next = async (id: StepId): Promise<void> => {
    await onChanged();
    // Whoever went elsewhere while it was saved stays there.
    if (query.peek().get("step") === here) open(id);
  };
  if (connector === null && data.required_plan !== undefined)
    return (
      <Frame>
        <LockedPart title="Not part of this plan">
          Single sign-on is part of the {data.required_plan} plan. Whoever runs this panel can change the plan of your
          workspace.
        </LockedPart>
      </Frame>
    );
  return (
    <Frame sub={subOf(connector)}>
      {connector !== null && <CertificateEnd connector={connector} onOpen={() => open("provider")} />}
      <div class="sign-on">
        <nav aria-label="Steps">
          <ol class="sign-on-steps">
            {steps.map(({ id, title, sub, isDone }, index) => (
              <li key={id}>
                <Button
                  kind="ghost"
                  class={`sign-on-step ${isDone ? "done" : ""}`}
                  aria-current={id === shown ? "step" : undefined}
                  disabled={connector === null && id !== "provider"}
                  onClick={() => open(id)}
                >
                  <span class="n" aria-hidden="true">
                    {isDone ? <Icon name="check" /> : index + 1}
                  </span>
                  <span class="sign-on-words">
                    <span>{title}</span>
                    <span class="t13 c3 cut">{sub}</span>
                    {isDone && <span class="sr">, done</span>}
                  </span>
                </Button>
              </li>
            ))}
          </ol>
        </nav>
        <div class="stack">
          {(connector === null || shown === "provider") && (
            <ProviderStep connector={connector} onSaved={() => next("domain")} onChanged={onChanged} />
          )}
          {connector !== null && shown === "domain" && (
            <DomainStep domains={domains} onChanged={onChanged} onNext={() => open("test")} />
          )}
          {connector !== null && shown === "test" && (
            <TestStep connector={connector} domains={domains} onNext={() => open("roles")} />
          )}
          {connector !== null && shown === "roles" && (
            <RolesStep connector={connector} onSaved={() => next("turn-on")} />
          )}
          {connector !== null && shown === "turn-on" && (
            <TurnOnStep connector={connector} owners={data.owners} onChanged={onChanged} />
          )}
        </div>
      </div>
    </Frame>
  );
}
