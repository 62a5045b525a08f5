import type { ComponentChildren } from "preact";
import { LinkButton } from "../../../kit/button.tsx";
import { Card, LockedPart } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { GroupsCard } from "./groups-card.tsx";
import { TokensCard } from "./tokens-card.tsx";
import type { Setup } from "./types.ts";

/** The directory that brings people in: what it has to be told, its tokens, and what its groups are here. */
export function Directory() {
  const setup = useResource("GET /api/scim", { everyMs: 30_000 });
  if (!may("settings:write", { ownRole: true }))
    return (
      <Frame>
        <LockedPart title="Not for your role">Owners and admins of the workspace set up the directory.</LockedPart>
      </Frame>
    );
  return (
    <Loaded of={setup} what="The directory">
      {(data) => <Whole setup={data} onChanged={setup.refresh} />}
    </Loaded>
  );
}

function Frame({ children }: { children: ComponentChildren }) {
  return (
    <div class="page">
      <header class="head">
        <h1>Directory</h1>
        <span class="t13 c3 cut">SCIM 2.0: Entra, Okta, authentik, Keycloak and others</span>
      </header>
      {children}
    </div>
  );
}

function Whole({ setup, onChanged }: { setup: Setup; onChanged: () => Promise<void> }) {
  const { tokens, required_plan, domains } = setup;
  if (tokens.length === 0 && required_plan !== undefined)
    return (
      <Frame>
        <LockedPart title="Not part of this plan">
          A directory is part of the {required_plan} plan. Whoever runs this panel can change the plan of your
          workspace.
        </LockedPart>
      </Frame>
    );
  return (
    <Frame>
      <div class="stack">
        {domains.length === 0 && <DomainFirst />}
        <Address setup={setup} />
        <TokensCard tokens={tokens} onChanged={onChanged} />
        <GroupsCard groups={setup.groups} onChanged={onChanged} />
      </div>
    </Frame>
  );
}

/** Without a proven domain it can bring nobody. */
function DomainFirst() {
  return (
    <Card title="First, the domain of your mail addresses">
      <div class="card-b stack">
        <p class="c2">
          A directory brings people whose addresses are proven to be of your company. Until a domain is proven, it is
          refused whomever it sends.
        </p>
        <div class="btns">
          <LinkButton kind="primary" href="/settings/sign-on?step=domain">
            Prove a domain
          </LinkButton>
        </div>
      </div>
    </Card>
  );
}

function Address({ setup: { base_url, users, users_off, domains } }: { setup: Setup }) {
  const kept = `${users.toLocaleString("en")} ${users === 1 ? "person here comes" : "people here come"}`;
  return (
    <Card title="What your directory has to be told">
      <div class="card-b stack">
        <div class="field">
          <p class="label">Address (tenant URL, base URL)</p>
          <CodeLine text={base_url} />
        </div>
        <p class="c2">
          Beside it goes a token from below, as a bearer token. People are told apart by their mail address, which is
          the user name.
          {domains.length > 0 && ` It can bring people of ${domains.join(", ")}.`}
        </p>
        <p class="c2">
          {users === 0
            ? "It has brought nobody yet. The first people appear in the team a moment after it does."
            : `${kept} from it${users_off > 0 ? `, ${users_off.toLocaleString("en")} of them without access now` : ""}.`}{" "}
          Owners are made by owners alone, and the last one stays.
        </p>
      </div>
    </Card>
  );
}
