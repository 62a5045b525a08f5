/** How a file can be looked at without being saved. */
export type MediaKind = "image" | "pdf" | "text" | "audio" | "video" | "none";

/** What a content is, as its first bytes say; its name says nothing that is believed. */
export interface Media {
  kind: MediaKind;
  /** What browsers are told; never a type that they would run. */
  type: string;
}

/** As much of a content as is looked at. */
export const HEAD_BYTES = 4_096;

const NONE: Media = { kind: "none", type: "application/octet-stream" };

/** What begins with these letters at this place. */
const BEGINNINGS: readonly [at: number, letters: string, media: Media][] = [
  [0, "\x89PNG\r\n\x1a\n", { kind: "image", type: "image/png" }],
  [0, "\xff\xd8\xff", { kind: "image", type: "image/jpeg" }],
  [0, "GIF87a", { kind: "image", type: "image/gif" }],
  [0, "GIF89a", { kind: "image", type: "image/gif" }],
  [8, "WEBP", { kind: "image", type: "image/webp" }],
  [8, "WAVE", { kind: "audio", type: "audio/wav" }],
  [4, "ftypavif", { kind: "image", type: "image/avif" }],
  [4, "ftypavis", { kind: "image", type: "image/avif" }],
  // Pictures of phones: some browsers show them, and the page says so where one does not.
  [4, "ftyphei", { kind: "image", type: "image/heic" }],
  [4, "ftypmif1", { kind: "image", type: "image/heif" }],
  [4, "ftypM4A", { kind: "audio", type: "audio/mp4" }],
  [4, "ftypqt", { kind: "video", type: "video/quicktime" }],
  [4, "ftyp", { kind: "video", type: "video/mp4" }],
  [0, "\x1aE\xdf\xa3", { kind: "video", type: "video/webm" }],
  [0, "OggS", { kind: "audio", type: "audio/ogg" }],
  [0, "fLaC", { kind: "audio", type: "audio/flac" }],
  [0, "ID3", { kind: "audio", type: "audio/mpeg" }],
  [0, "\xff\xfb", { kind: "audio", type: "audio/mpeg" }],
  [0, "\xff\xf3", { kind: "audio", type: "audio/mpeg" }],
  [0, "\xff\xf1", { kind: "audio", type: "audio/aac" }],
  [0, "%PDF-", { kind: "pdf", type: "application/pdf" }],
];

/** Text of lines: UTF-8 without what only programs write. A letter may be cut off at the end. */
function isText(head: Uint8Array): boolean {
  if (head.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27))
    return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** What a content is that begins so. Pages and drawings that could run scripts are text. */
export function mediaOf(head: Uint8Array): Media {
  const letters = String.fromCharCode(...head.subarray(0, 16));
  const isRiff = letters.startsWith("RIFF");
  for (const [at, beginning, media] of BEGINNINGS)
    if (letters.startsWith(beginning, at) && (at !== 8 || isRiff)) return media;
  return isText(head) ? { kind: "text", type: "text/plain; charset=utf-8" } : NONE;
}
