import type { Target } from "../../../../src/node/backups/backups/contract.ts";
import { Input, Password } from "../../../kit/field.tsx";
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
    { name: "password", label: "Password of the user", isSecret: true },
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
};

/** Names of the fields of a type, for refusals that belong to them. */
export const fieldNames = (type: PlaceType): string[] => FIELDS[type].map(({ name }) => name);

/** The request's part for a place; null while something is missing. */
export function placeOf(type: PlaceType, typed: Typed): Record<string, string> | null {
  const place: Record<string, string> = {};
  for (const { name, isOptional } of FIELDS[type]) {
    const value = (typed[name] ?? "").trim();
    if (value !== "") place[name] = value;
    else if (isOptional !== true) return null;
  }
  return place;
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
      {FIELDS[type].map(({ name, label, hint, isSecret }) => {
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
