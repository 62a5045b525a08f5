import { useState } from "preact/hooks";
import type { BucketSettings } from "../../../../src/node/storage/objects/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isKeptHere } from "./kept.ts";
import { PublicField } from "./public-field.tsx";
import { QuotaField, quotaOf, type TypedQuota, typedQuota } from "./quota-field.tsx";
import { RuleField } from "./rule-field.tsx";
import { type DraftRule, draftOf, emptyRule, ruleOf } from "./rules.ts";

interface Props {
  bucket: string;
  onClose: () => void;
  onSaved: () => void;
}

/** Who reads a bucket, how it answers as a website, and when its objects end. */
export function SettingsDialog({ bucket, onClose, onSaved }: Props) {
  const settings = useResource("GET /api/objects/buckets/{name}/settings", { path: { name: bucket } });
  if (settings.data.value !== null)
    return <SettingsForm bucket={bucket} given={settings.data.value} onClose={onClose} onSaved={onSaved} />;
  return (
    <Dialog title={`Settings of ${bucket}`} onClose={onClose}>
      <Loaded of={settings} what="Settings">
        {() => null}
      </Loaded>
    </Dialog>
  );
}

function SettingsForm({ bucket, given, onClose, onSaved }: Props & { given: BucketSettings }) {
  const endpoint = useResource("GET /api/objects/endpoint");
  const [isPublic, setPublic] = useState(given.visibility === "public");
  const [wantsSite, setSite] = useState(given.website !== null);
  const [index, setIndex] = useState(given.website?.index ?? "index.html");
  const [error, setError] = useState(given.website?.error ?? "");
  const [quota, setQuota] = useState<TypedQuota | null>(() => typedQuota(given.quota));
  const [rules, setRules] = useState<readonly DraftRule[]>(() => given.rules.map(draftOf));
  const info = endpoint.data.value;
  // In a Garage cluster what everybody may read is a website, and nothing else is.
  const isCluster = info?.kept === "garage";
  const isSite = isCluster ? isPublic : wantsSite;
  const attempt = useAttempt();
  const limits = quota === null ? null : quotaOf(quota);
  const submit = () =>
    attempt.send(async () => {
      const body = {
        visibility: isPublic ? ("public" as const) : ("private" as const),
        website: isSite ? { index: index.trim(), error: error.trim() === "" ? null : error.trim() } : null,
        rules: rules.map(ruleOf),
        ...(limits === null ? {} : { quota: limits }),
      };
      await api("PUT /api/objects/buckets/{name}/settings", { path: { name: bucket }, body });
      onSaved();
    });
  const replace = (at: number, rule: DraftRule) => setRules(rules.map((old, place) => (place === at ? rule : old)));
  const address = info === null || !isKeptHere(info) ? null : `${info.web}/${bucket}/`;
  return (
    <FormDialog
      title={`Settings of ${bucket}`}
      action="Save"
      width="md"
      ready={(!isSite || index.trim() !== "") && (quota === null || limits !== null)}
      attempt={attempt}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <PublicField checked={isPublic} onChecked={setPublic} />
      {isPublic && given.visibility !== "public" && (
        <Banner state="warn">All that is in it now can be read by everybody as soon as you save.</Banner>
      )}
      {!isCluster && (
        <Checkbox
          checked={wantsSite}
          onChecked={setSite}
          sub={
            isPublic ? "Folders answer with a page of their own." : "It answers once everybody may read its objects."
          }
        >
          Show it as a website
        </Checkbox>
      )}
      {isSite && (
        <div class="stack">
          <Input label="Page of a folder" value={index} onValue={setIndex} spellcheck={false} autocomplete="off" />
          <Input
            label="Page for what is not there"
            value={error}
            onValue={setError}
            hint="Left empty, the answer is a plain error."
            spellcheck={false}
            autocomplete="off"
          />
          {isPublic && address !== null && (
            <div class="field">
              <p class="label">Address</p>
              <CodeLine text={address} />
              <p class="hint">
                A bucket with the name of a host, such as www.example.org, also answers under that host when a proxy
                passes it on.
              </p>
            </div>
          )}
        </div>
      )}
      {quota !== null && <QuotaField typed={quota} onTyped={setQuota} />}
      <fieldset class="field stack">
        <legend class="label">What ends by itself</legend>
        {rules.length === 0 && <p class="hint">Nothing: objects stay until somebody removes them.</p>}
        {rules.map((rule, at) => (
          <RuleField
            key={rule.id}
            rule={rule}
            number={at + 1}
            onRule={(next) => replace(at, next)}
            onRemove={() => setRules(rules.filter((_, place) => place !== at))}
          />
        ))}
        <Button size="sm" icon="plus" onClick={() => setRules([...rules, emptyRule(rules)])}>
          Add a rule
        </Button>
      </fieldset>
    </FormDialog>
  );
}
