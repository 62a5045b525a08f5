import type { Share, ShareMode } from "../../../../src/node/storage/shares/contract.ts";
import { count, moment } from "../../../client/format.ts";

/** What each kind of link lets people do. */
export const modeWords: Record<ShareMode, { label: string; means: string }> = {
  read: { label: "Look and save", means: "People see what is in it and save files." },
  write: { label: "Look, save and add", means: "People see what is in it, save files and add their own." },
  drop: { label: "Only add", means: "People put files in and see nothing of what is there." },
};

/** The address of a link, as it is handed out. */
export const addressOf = ({ path }: Pick<Share, "path">): string => `${location.origin}${path}`;

/** What bounds a link and what became of it: "ends Nov 30, 3 of 5 downloads, with a password". */
export function factsOf(share: Share): string {
  const { downloads, max_downloads, uploads, expires_at, has_password, mode } = share;
  const of =
    max_downloads === null ? count(downloads, "download") : `${downloads} of ${count(max_downloads, "download")}`;
  const facts = [
    expires_at === null ? "without an end" : `until ${moment(expires_at)}`,
    ...(mode === "drop" ? [] : [of]),
    ...(mode === "read" ? [] : [`${count(uploads, "file")} added`]),
    ...(has_password ? ["with a password"] : []),
  ];
  return facts.join(", ");
}
