import { namesOf } from "./addresses.ts";
import { etagOf, isKnown, requireMatch } from "./conditions.ts";
import type { Asked, Needs } from "./needs.ts";
import { resolveThere } from "./resolve.ts";

const WORDS =
  "This is a folder of a Drive. Open this address with a program that speaks WebDAV, such as the file manager of your computer.\n";

/** A file, or the part of it that is asked for. Throws `dav_not_found`, `dav_precondition`, `drive_range_outside`. */
export async function answerGet(needs: Needs, asked: Asked): Promise<Response> {
  const { headers, by } = asked;
  const place = resolveThere(needs, by.user_id, namesOf(asked.path));
  const { node } = place;
  if (node === null || node.sha256 === null)
    return new Response(WORDS, { headers: { "content-type": "text/plain; charset=utf-8" } });
  if (headers.has("if-match"))
    requireMatch({ headers: new Headers({ "if-match": headers.get("if-match") ?? "" }) }, place, true);
  const about = { etag: etagOf(place) ?? "", "last-modified": new Date(node.changed_at).toUTCString() };
  if (isKnown(headers, place)) return new Response(null, { status: 304, headers: about });
  const answer = await needs.drive.answerPart(
    { ...node, sha256: node.sha256 },
    { key: by.user_id, ip: by.ip, request: asked.request },
    headers,
    about.etag,
  );
  answer.headers.set("last-modified", about["last-modified"]);
  return answer;
}
