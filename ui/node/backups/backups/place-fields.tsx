import { useState } from "preact/hooks";
import type { Target } from "../../../../src/node/backups/backups/contract.ts";
import { Field, Input, Password } from "../../../kit/field.tsx";
import type { Attempt } from "../../../parts/attempt.ts";

export type PlaceType = Target["type"];

/** What was typed, by the fields of the request. */
export type Typed = Readonly<Record<string, string>>;

interface FieldOf {
  name: string;
  label: string;
  hint?: string;
  isSecret?: boolean;
  isOptional?: boolean;
  /** What stands in a file that is chosen. */
  isFile?: boolean;
}

const FIELDS: Record<PlaceType, readonly FieldOf[]> = {
  local: [
    {
      name: "path",
      label: "Folder",
      hint: "Of a mounted disk, best one that is not this server's own: /mnt/backup.",
    },
  ],
  s3: [
    { name: "endpoint", label: "Address of the server", hint: "Such as https://s3.eu-central-1.amazonaws.com." },
    { name: "bucket", label: "Bucket", hint: "It has to be there already." },
    {
      name: "prefix",
      label: "Only below (may be left out)",
      hint: "Such as atlas: leaves room for others in the bucket.",
    },
    { name: "region", label: "Region (may be left out)", hint: "us-east-1 where nothing is given." },
    { name: "access_key", label: "Access key" },
    { name: "secret_key", label: "Secret key", isSecret: true },
  ].map((field) => ({ ...field, isOptional: field.name === "prefix" || field.name === "region" })),
  sftp: [
    { name: "host", label: "Server", hint: "Name or address, such as backup.example.org." },
    { name: "port", label: "Port (may be left out)", hint: "22 where nothing is given.", isOptional: true },
    { name: "path", label: "Folder", hint: "It has to be there already: /home/ada/backups." },
    { name: "username", label: "User" },
    { name: "password", label: "Password of the user", isSecret: true, isOptional: true, hint: "Or its key below." },
    {
      name: "private_key",
      label: "Private key of the user (instead of a password)",
      hint: "The file of an OpenSSH key without a passphrase, such as ~/.ssh/id_ed25519.",
      isFile: true,
      isOptional: true,
    },
  ],
  webdav: [
    {
      name: "url",
      label: "Address of the folder",
      hint: "Such as https://cloud.example.org/dav/backups. It has to be there already.",
    },
    { name: "username", label: "User" },
    { name: "password", label: "Password of the user", isSecret: true },
  ],
  node: [
    {
      name: "url",
      label: "Address of the other server",
      hint: "As in your browser, such as https://atlas.example.org.",
    },
    {
      name: "key",
      label: "Key",
      hint: "Made there: Backups, Other servers, Add a server.",
      isSecret: true,
    },
  ],
};

/** Either of these opens the door. */
const EITHER: Partial<Record<PlaceType, readonly string[]>> = { sftp: ["password", "private_key"] };

/** Names of the fields of a type, for refusals that belong to them. */
export const fieldNames = (type: PlaceType): string[] => FIELDS[type].map(({ name }) => name);

/** The request's part for a place; null while something is missing. */
export function placeOf(type: PlaceType, typed: Typed): Record<string, string> | null {
  const place: Record<string, string> = {};
  for (const { name, isOptional } of FIELDS[type]) {
    // A key is one with its last line break.
    const value = name === "private_key" ? (typed[name] ?? "") : (typed[name] ?? "").trim();
    if (value !== "") place[name] = value;
    else if (isOptional !== true) return null;
  }
  const either = EITHER[type];
  return either === undefined || either.some((name) => place[name] !== undefined) ? place : null;
}

const PLAIN = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;

/** Where it is, and what opens the door there. */
export function PlaceFields({
  type,
  typed,
  attempt,
  onTyped,
}: {
  type: PlaceType;
  typed: Typed;
  attempt: Attempt;
  onTyped: (typed: Typed) => void;
}) {
  return (
    <>
      {FIELDS[type].map(({ name, label, hint, isSecret, isFile }) => {
        if (isFile === true) {
          const error = attempt.errorOf(name);
          const take = attempt.edits(name, (value: string) => onTyped({ ...typed, [name]: value }));
          return <KeyFile key={name} label={label} hint={hint ?? ""} error={error} onText={take} />;
        }
        const field = attempt.field(name, typed[name] ?? "", (value) => onTyped({ ...typed, [name]: value }));
        const shown = hint === undefined ? {} : { hint };
        return isSecret === true ? (
          <Password key={name} label={label} {...field} {...shown} autocomplete="off" />
        ) : (
          <Input key={name} label={label} {...field} {...shown} {...PLAIN} />
        );
      })}
    </>
  );
}

/** Larger than any key: it was another file. */
const MOST_KEY = 20_000;

/** A key is read from its file; nobody types one. */
function KeyFile({
  label,
  hint,
  error,
  onText,
}: {
  label: string;
  hint: string;
  error: string | null;
  onText: (text: string) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File | undefined): Promise<void> => {
    const isSmall = file !== undefined && file.size <= MOST_KEY;
    const text = isSmall ? await file.text() : "";
    const isKey = text.includes("PRIVATE KEY-----");
    setProblem(
      file === undefined || isKey ? null : `${file.name} is no private key. The one that ends with .pub is not it.`,
    );
    onText(isKey ? text : "");
  };
  return (
    <Field label={label} hint={hint} error={problem ?? error}>
      {({ id, describedBy }) => (
        <input
          id={id}
          class="backupfile"
          type="file"
          aria-describedby={describedBy}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      )}
    </Field>
  );
}
