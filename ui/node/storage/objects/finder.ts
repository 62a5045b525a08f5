import { navigate } from "../../../client/router.ts";
import type { Command } from "../../../kit/palette.tsx";
import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { reveal } from "../../../shell/reveal.ts";
import { api } from "../../client/api.ts";
import { loadWhereOn } from "../../client/components.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const address = "/objects";
const buckets = () => resource("GET /api/objects/buckets");
const keys = () => resource("GET /api/objects/access-keys");
const nothing = { found: [], later: [], note: null, isOver: true };
const atMost = 10;

/** Buckets, keys of the store, its settings, and objects for words such as `photos/2026`. */
export const objectsFinder: Finder = {
  order: 18,
  open: () => void loadWhereOn("objstore", load),
  list: () => [
    ...(isAdmin() ? offers() : []),
    ...(buckets().data.value?.buckets ?? []).map(({ name, reserved }) => ({
      id: `bucket-${name}`,
      title: name,
      group: "Bucket",
      icon: "database",
      words: "s3 object storage",
      run: () => {
        if (isAdmin() && !reserved) return navigate(`${address}?${new URLSearchParams({ bucket: name })}`);
        navigate(address);
        reveal({ row: name });
      },
    })),
    ...(keys().data.value?.access_keys ?? []).map(({ access_key, name }) => ({
      ...placeCommand(
        { title: name, group: "Access key", icon: "key", words: `${access_key} s3` },
        { address, row: access_key },
      ),
      id: `access-key-${access_key}`,
    })),
  ],
  search: (words, signal, tell) => {
    const [bucket, ...rest] = words.split("/");
    const known = buckets()
      .data.peek()
      ?.buckets.find(({ name, reserved }) => name === bucket && !reserved);
    if (!isAdmin() || known === undefined || rest.length === 0) return tell(nothing);
    const path = { name: known.name };
    api("GET /api/objects/buckets/{name}/objects", { path, query: { prefix: rest.join("/") } }).then(
      ({ folders, objects }) => {
        const found = [...folders, ...objects.map(({ key }) => key)].slice(0, atMost);
        if (!signal.aborted) tell({ ...nothing, found: found.map((key) => commandOf(known.name, key)) });
      },
      () => tell(nothing),
    );
  },
};

/** A place that only speaks S3 has no list of keys. */
async function load(): Promise<void> {
  buckets().need();
  const endpoint = resource("GET /api/objects/endpoint");
  await endpoint.load();
  if (endpoint.data.peek()?.kept !== "s3") keys().need();
}

const offers = (): Command[] => [
  wishCommand(
    { title: "New bucket", group: "Object storage", icon: "plus", words: "add s3 store" },
    { address, wish: "bucket" },
  ),
  wishCommand(
    { title: "New key", group: "Object storage", icon: "plus", words: "add access s3 program" },
    { address, wish: "access-key" },
  ),
  ...[
    ["Connect a program", "s3 endpoint rclone aws"],
    ["Where objects are kept", "minio garage place elsewhere"],
    ["Encryption on the disk", "encrypt objects"],
  ].map(([card = "", words = ""]) =>
    placeCommand({ title: card, group: "Object storage", icon: "database", words }, { address, card }),
  ),
];

function commandOf(bucket: string, key: string): Command {
  const folder = key.slice(0, key.lastIndexOf("/") + 1);
  return {
    id: `object-${bucket}/${key}`,
    title: `${bucket}/${key}`,
    group: key === folder ? "Folder of a bucket" : "Object",
    icon: key === folder ? "folder" : "file-text",
    run: () => {
      navigate(`${address}?${new URLSearchParams({ bucket, prefix: folder })}`);
      if (key !== folder) reveal({ row: key.slice(folder.length) });
    },
  };
}
