import { LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import type { Connectors } from "./types.ts";

/** How the people of the workspace sign in, and the way to change that. */
export function SignOnCard() {
  if (!may("settings:write", { ownRole: true })) return null;
  return <Shown />;
}

function Shown() {
  const connectors = useResource("GET /api/sso/connectors");
  return (
    <Card title="Single sign-on" class="start" w={6}>
      <div class="card-b stack">
        <Loaded of={connectors} what="Single sign-on">
          {(data) => <About data={data} />}
        </Loaded>
        <div class="btns">
          <LinkButton href="/settings/sign-on" icon="key">
            Set up single sign-on
          </LinkButton>
        </div>
      </div>
    </Card>
  );
}

function About({ data: { items, required_plan } }: { data: Connectors }) {
  const [connector] = items;
  if (connector === undefined)
    return (
      <p class="c2">
        Let your people sign in where they do for everything else.
        {required_plan !== undefined && ` It is part of the ${required_plan} plan.`}
      </p>
    );
  if (connector.state === "off") return <Status state="off">{connector.name} is set up and not turned on</Status>;
  const isEnding = connector.saml?.certificates.some(({ state }) => state !== "ok") ?? false;
  return (
    <>
      <Status state="ok">
        {connector.name} {connector.state === "enforced" ? "is the only way in" : "is on"}
      </Status>
      {isEnding && <Status state="warn">A certificate of it ends soon or has ended. Add the next one.</Status>}
    </>
  );
}
