import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import { addressOf } from "../../../client/base.ts";
import type { IconName } from "../../../icons/names.ts";

const icons: readonly [names: RegExp, icon: IconName][] = [
  [/\.(png|jpe?g|gif|webp|bmp|avif|heic|heif|svg|tiff?|raw|dng)$/i, "image"],
  [/\.(mp4|m4v|mov|webm|mkv|avi|ogv)$/i, "film"],
  [/\.(mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i, "music"],
  [/\.(xlsx?|ods|csv|tsv)$/i, "table"],
  [/\.(zip|tar|t?gz|zst|7z|rar|xz|bz2)$/i, "box"],
  [/\.(tsx?|jsx?|py|rs|go|c|h|cpp|java|sh|rb|php|css|html?|json|ya?ml|toml|sql)$/i, "code"],
];

/** The glyph of a file or folder, by what its name says. */
export const iconOf = ({ kind, name }: Pick<DriveNode, "kind" | "name">): IconName =>
  kind === "folder" ? "folder" : (icons.find(([names]) => names.test(name))?.[1] ?? "file-text");

/** The address of the small picture of a file; null where it has none by its name. */
export const thumbnailOf = ({ id, kind, name, sha256 }: DriveNode): string | null =>
  kind === "file" && sha256 !== null && /\.(png|jpe?g|gif|webp|bmp)$/i.test(name)
    ? addressOf(`/api/drive/nodes/${encodeURIComponent(id)}/thumbnail?sha256=${sha256}`)
    : null;
