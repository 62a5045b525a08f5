import { saveFrom } from "../../client/save-from.ts";

/** Has the browser save a file, or a version of it. */
export function download(id: string, versionId: string | null = null): Promise<void> {
  const version = versionId === null ? "" : `?version_id=${encodeURIComponent(versionId)}`;
  return saveFrom(`/api/drive/raw/${encodeURIComponent(id)}${version}`);
}
