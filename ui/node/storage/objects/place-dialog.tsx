import { useState } from "preact/hooks";
import type { Place, PlaceInput, PlaceTest } from "../../../../src/node/storage/object-places/contract.ts";
import { count } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

type Kind = Place["kind"];
type Field = Exclude<keyof PlaceInput, "kind">;

interface FieldOf {
  name: Field;
  label: string;
  hint?: string;
  isSecret?: boolean;
  isOptional?: boolean;
}

const KINDS: { value: Kind; label: string }[] = [
  { value: "embedded", label: "This server" },
  { value: "garage", label: "Garage" },
  { value: "s3", label: "S3" },
];

const FIELDS: Record<Kind, readonly FieldOf[]> = {
  embedded: [],
  garage: [
    {
      name: "admin_url",
      label: "Address of the admin API",
      hint: "Such as http://10.0.0.5:3903. Garage 2.0 or newer.",
    },
    {
      name: "admin_token",
      label: "Admin token",
      isSecret: true,
      hint: "admin_token of its configuration, or one of garage admin-token create.",
    },
    { name: "endpoint", label: "Address of S3", hint: "Such as http://10.0.0.5:3900. Programs use it, too." },
    {
      name: "region",
      label: "Region (may be left out)",
      hint: "s3_region of its configuration; garage where nothing is given.",
      isOptional: true,
    },
  ],
  s3: [
    { name: "endpoint", label: "Address of the server", hint: "Such as https://s3.eu-central-1.amazonaws.com." },
    { name: "region", label: "Region (may be left out)", hint: "us-east-1 where nothing is given.", isOptional: true },
    { name: "access_key", label: "Access key", hint: "What it may do there is what can be done here." },
    { name: "secret_key", label: "Secret key", isSecret: true },
    {
      name: "bucket",
      label: "Only this bucket (may be left out)",
      hint: "For a key that may not list buckets.",
      isOptional: true,
    },
  ],
};

/** What opens a place goes to no other address than before. */
const OPENED_BY: Partial<Record<Field, readonly ("admin_url" | "endpoint" | "access_key")[]>> = {
  admin_token: ["admin_url"],
  secret_key: ["endpoint", "access_key"],
};
const PLAIN = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;

/** Chooses who keeps the objects, and tries it out. */
export function PlaceDialog({
  place,
  onClose,
  onChanged,
}: {
  place: Place;
  onClose: () => void;
  onChanged: (now: Place) => void;
}) {
  const [kind, setKind] = useState<Kind>(place.kind);
  const [typed, setTyped] = useState<Partial<Record<Field, string>>>(() => ({
    admin_url: place.admin_url ?? "",
    endpoint: place.endpoint ?? "",
    region: place.region ?? "",
    access_key: place.access_key ?? "",
    bucket: place.bucket ?? "",
  }));
  const [found, setFound] = useState<PlaceTest | null>(null);
  const attempt = useAttempt();
  const trial = useAttempt();
  const fields = FIELDS[kind];
  const textOf = (name: Field) => typed[name]?.trim() ?? "";
  const isKept = ({ name }: FieldOf) =>
    kind === place.kind && (OPENED_BY[name]?.every((other) => textOf(other) === place[other]) ?? false);
  const ready = fields.every((field) => field.isOptional || textOf(field.name) !== "" || isKept(field));
  const given = fields.filter(({ name }) => textOf(name) !== "").map(({ name }) => [name, textOf(name)] as const);
  const body: PlaceInput = { kind, ...Object.fromEntries(given) };
  const choose = (next: Kind) => {
    setKind(next);
    setFound(null);
  };
  const type = (name: Field) => (value: string) => {
    setTyped({ ...typed, [name]: value });
    setFound(null);
  };
  const tryOut = () => trial.send(async () => setFound(await api("POST /api/objects/place/test", { body })));
  const submit = () => attempt.send(async () => onChanged(await api("PUT /api/objects/place", { body })));
  return (
    <FormDialog
      title="Where objects are kept"
      action={kind === "embedded" ? "Keep them here" : "Keep them there"}
      width="md"
      ready={ready && (kind !== "embedded" || place.kind !== "embedded")}
      attempt={attempt}
      refusal={attempt.besides(...fields.map(({ name }) => name)) ?? trial.besides(...fields.map(({ name }) => name))}
      aside={
        kind !== "embedded" && (
          <Button busy={trial.busy} disabled={!ready} onClick={() => void tryOut()}>
            Test
          </Button>
        )
      }
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Segmented label="Who keeps the objects" value={kind} options={KINDS} onValue={choose} />
      {fields.map((field) => {
        const { name, label, hint, isSecret = false } = field;
        const { error, ...bound } = attempt.field(name, typed[name] ?? "", type(name));
        const props = {
          ...{ label, ...bound, ...PLAIN },
          error: error ?? trial.errorOf(name),
          hint: isSecret && isKept(field) ? "Left empty, it stays the one that the node has." : hint,
        };
        return isSecret ? (
          <Password key={name} {...props} autocomplete="new-password" />
        ) : (
          <Input key={name} {...props} />
        );
      })}
      {kind !== "embedded" && <div role="status">{found !== null && <Found found={found} />}</div>}
      {kind !== place.kind && <Meaning kind={kind} place={place} />}
    </FormDialog>
  );
}

/** What came of asking a place. */
function Found({ found: { ok, words, next_step, warnings } }: { found: PlaceTest }) {
  return (
    <div class="stack">
      <p class="row objectfound">
        <Glyph state={ok ? "ok" : "crit"} />
        <span>{`${words} ${next_step ?? ""}`}</span>
      </p>
      {warnings.map((warning) => (
        <Banner key={warning} state="warn">
          {warning}
        </Banner>
      ))}
    </div>
  );
}

/** What another place means. */
function Meaning({ kind, place }: { kind: Kind; place: Place }) {
  if (kind === "embedded")
    return (
      <Banner state="info">
        No object is moved: what is kept there stays there, and programs with its keys go on. This page shows the
        buckets of this server again.
      </Banner>
    );
  const { buckets_here } = place;
  return (
    <Banner state="info">
      No object is moved.{" "}
      {place.kind === "embedded" &&
        buckets_here > 0 &&
        `${count(buckets_here, "bucket")} of this server ${buckets_here === 1 ? "stays" : "stay"} here, still served to the keys made here, while this page shows the new place. `}
      The Drive stays on this server. Backups of this node have nothing of what is kept there
      {kind === "s3" ? "; keys and public buckets are made where that store is run." : "."}
    </Banner>
  );
}
