import { Icon } from "../../../kit/icon.tsx";

/** How long the count of downloads takes to be right again after one began, milliseconds. */
const SOON_MS = 1_500;

/** Saves a shared file, or a folder as an archive. */
export function DownloadLink({
  token,
  pass,
  name,
  node,
  words,
  onUsed,
}: {
  token: string;
  pass: string | null;
  name: string;
  /** Within a shared folder. */
  node?: string;
  /** What the main one says; others are a glyph. */
  words?: string;
  onUsed: () => void;
}) {
  const query = new URLSearchParams({
    ...(node === undefined ? {} : { node_id: node }),
    ...(pass === null ? {} : { pass }),
  });
  return (
    <a
      class={words !== undefined ? "btn primary" : "btn sm icon"}
      href={`/api/shares/${token}/download?${query}`}
      download={name}
      aria-label={words !== undefined ? undefined : `Save ${name}`}
      onClick={() => setTimeout(onUsed, SOON_MS)}
    >
      <Icon name="download" />
      {words}
    </a>
  );
}
