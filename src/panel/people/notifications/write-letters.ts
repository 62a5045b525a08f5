import { isRecord, parseJson } from "../../../lib/json.ts";
import { unlinked } from "../../../lib/unlinked.ts";
import type { LetterText } from "../../base.ts";
import type { NoticeWords } from "../../event-meaning.ts";
import { greet, type Language } from "../../languages.ts";
import type { Needs } from "./needs.ts";
import { findForLetter, findMemberAt } from "./store.ts";
import { mayKnow } from "./wants-letter.ts";
import { WORDS } from "./words.ts";

/** The kind of letters that tell of one notification, and of several. */
export const KIND = "notification";
export const DIGEST = "notification.digest";

type Found = NonNullable<Awaited<ReturnType<typeof findForLetter>>>;

/** What a notification says in a language; in English where it is older than the others. */
function wordsIn(language: Language, { title, body, translations }: Found): NoticeWords {
  const all = translations === null ? null : parseJson(translations);
  const told = isRecord(all) ? all[language] : null;
  if (!isRecord(told) || typeof told["title"] !== "string" || typeof told["body"] !== "string") return { title, body };
  return { title: told["title"], body: told["body"] };
}

const pageOf = ({ config }: Pick<Needs, "config">): string => `${config.public_url}/profile/notifications`;

/**
 * Those of the notifications that an address may still be told of: letters wait while the mail server is away, and whoever it is of may
 * have left meanwhile, or may see less.
 */
async function findTellable(
  { system }: Needs,
  tenantId: string,
  address: string,
  ids: readonly string[],
): Promise<Found[]> {
  const member = await findMemberAt(system, tenantId, address);
  if (member === null) return [];
  const rows = await Promise.all(ids.map((id) => findForLetter(system, tenantId, id)));
  return rows.filter((row) => row !== null).filter((row) => mayKnow(member, row));
}

async function writeOne(needs: Needs, tenantId: string, address: string, found: Found): Promise<LetterText> {
  const { language } = await needs.tenants.findReader(address, tenantId);
  const { title, body } = wordsIn(language, found);
  const { look, footer } = WORDS[language];
  return {
    ...{ language, workspace: found.workspace, subject: `${unlinked(found.workspace)}: ${title}` },
    greeting: greet(language),
    paragraphs: [body === "" ? `${title}.` : body],
    action: { label: look, url: `${needs.config.public_url}${found.link}` },
    footer: footer(pageOf(needs)),
  };
}

/** Writes the letters of one. */
export const notificationLetters = (needs: Needs) => ({
  kind: KIND,
  isNotice: true as const,
  async write(address: string, { tenant_id, id }: Record<string, unknown>): Promise<LetterText | null> {
    if (typeof tenant_id !== "string" || typeof id !== "string") return null;
    const [found] = await findTellable(needs, tenant_id, address, [id]);
    return found ? writeOne(needs, tenant_id, address, found) : null;
  },
});

/** Writes those of several. */
export const digestLetters = (needs: Needs) => ({
  kind: DIGEST,
  isNotice: true as const,
  async write(address: string, { tenant_id, ids, count }: Record<string, unknown>): Promise<LetterText | null> {
    if (typeof tenant_id !== "string" || typeof ids !== "string") return null;
    const named = ids.split(" ");
    const found = await findTellable(needs, tenant_id, address, named);
    const [first] = found;
    if (first === undefined) return null;
    // What may not be told is not counted either.
    const told = Number(count) - (named.length - found.length);
    if (told === 1) return writeOne(needs, tenant_id, address, first);
    const { language } = await needs.tenants.findReader(address, tenant_id);
    const { open, footer, digestSubject, digestBegin, digestMore } = WORDS[language];
    const lines = found.map((row) => {
      const { title, body } = wordsIn(language, row);
      return body === "" ? `${title}.` : `${title}: ${body}`;
    });
    const left = told - found.length;
    const workspace = unlinked(first.workspace);
    return {
      ...{ language, workspace, subject: `${workspace}: ${digestSubject(told)}` },
      greeting: greet(language),
      paragraphs: [digestBegin(workspace), ...lines, ...(left > 0 ? [digestMore(left)] : [])],
      action: { label: open, url: `${needs.config.public_url}/` },
      footer: footer(pageOf(needs)),
    };
  },
});
