import { useState } from "preact/hooks";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { roleNames } from "../../parts/roles.ts";
import { useProof } from "../factors/use-proof.tsx";
import { type GivenRole, givenRoles } from "./role-name.ts";
import { type Connector, inputOf } from "./types.ts";

const options = givenRoles.map((role) => ({ value: role, label: roleNames[role] }));

/** What the provider's groups make people here. */
export function RolesStep({ connector, onSaved }: { connector: Connector; onSaved: () => Promise<void> }) {
  const [claim, setClaim] = useState(connector.role_claim ?? "");
  const [rules, setRules] = useState(connector.role_rules);
  const [rest, setRest] = useState<GivenRole | "none">(connector.default_role ?? "none");
  const attempt = useAttempt();
  const proof = useProof();
  const isMapped = claim.trim() !== "";
  const isIncomplete = isMapped && rules.some(({ value }) => value.trim() === "");
  const change = (at: number, next: Partial<(typeof rules)[number]>): void =>
    setRules((now) => now.map((rule, index) => (index === at ? { ...rule, ...next } : rule)));
  const send = async (): Promise<void> => {
    const body = {
      ...inputOf(connector),
      role_claim: isMapped ? claim.trim() : null,
      role_rules: isMapped ? rules.map(({ value, role }) => ({ value: value.trim(), role })) : [],
      default_role: rest === "none" ? null : rest,
    };
    await api("PUT /api/sso/connectors/{id}", { path: { id: connector.id }, body });
    toast("Saved.");
    await onSaved();
  };
  return (
    <Card title="What people are here">
      <form
        class="card-b stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.send(() => proof.tryOut(send));
        }}
      >
        <p class="c2">
          Each sign-in gives people the role of the first rule that fits. Owners stay owners: they are made by owners
          alone.
        </p>
        <Input
          label="Where the provider tells groups"
          hint={`${connector.kind === "saml" ? "The name of an attribute, such as groups." : "The name of a claim, such as groups or realm_access.roles."} Empty leaves roles to your team page.`}
          {...attempt.field("role_claim", claim, setClaim)}
          autocomplete="off"
        />
        {isMapped && (
          <ul class="stack sign-on-rules" aria-label="Rules">
            {rules.map((rule, index) => (
              <li key={index} class="sign-on-rule">
                <Input
                  label={`Group ${index + 1}`}
                  value={rule.value}
                  onValue={(value) => change(index, { value })}
                  autocomplete="off"
                />
                <Select
                  label={`Role of group ${index + 1}`}
                  value={rule.role}
                  options={options}
                  onValue={(role) => change(index, { role })}
                />
                <IconButton
                  icon="trash"
                  label={`Remove the rule of group ${index + 1}`}
                  onClick={() => setRules((now) => now.filter((_, at) => at !== index))}
                />
              </li>
            ))}
            <li>
              <Button
                icon="plus"
                disabled={rules.length >= 50}
                onClick={() => setRules((now) => [...now, { value: "", role: "org_viewer" }])}
              >
                Add a rule
              </Button>
            </li>
          </ul>
        )}
        <div class="field">
          <p class="label">{isMapped ? "Everybody for whom no rule fits" : "Everybody new"}</p>
          <Select
            label={isMapped ? "Role of everybody for whom no rule fits" : "Role of everybody new"}
            value={rest}
            options={[...options, { value: "none" as const, label: "Is not let in" }]}
            onValue={setRest}
          />
        </div>
        {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
        <div class="btns">
          <Button type="submit" kind="primary" busy={attempt.busy} disabled={isIncomplete || attempt.wait > 0}>
            Save and go on
          </Button>
        </div>
      </form>
      {proof.dialog}
    </Card>
  );
}
