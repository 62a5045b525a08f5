import { sha256Hex } from "../../../lib/digest.ts";
import { days, hours } from "../../../lib/duration.ts";
import type { LetterText } from "../../base.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { greet } from "../../languages.ts";
import type { Needs } from "./needs.ts";
import { findPending, insertProof } from "./store.ts";
import { CHANGE as CHANGE_WORDS, PROOF as PROOF_WORDS } from "./words.ts";

/** The kind of letters with a link, to the address that is to prove itself. */
const PROOF = "account.email_proof";
/** The kind of letters to the address that an account had. */
const CHANGE = "account.email_change";

/** How long a link is good, and an address waits for its proof. */
export const LIFETIME_MS = hours(24);

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Has a link sent to an address that is an account's, or is to be. */
export const queueProof = (
  { mail }: Pick<Needs, "mail">,
  tx: SystemTx,
  accountId: string,
  email: string,
): Promise<void> =>
  mail.queue(tx, { kind: PROOF, tenantId: null, to: email, facts: { account_id: accountId }, lifetimeMs: LIFETIME_MS });

/** Tells the address that an account has of the one that somebody wants in its place, or that has taken it. */
export const queueChange = (
  { mail }: Pick<Needs, "mail">,
  tx: SystemTx,
  to: string,
  facts: { told: "asked" | "done"; name: string; email: string; ip: string },
): Promise<void> => mail.queue(tx, { kind: CHANGE, tenantId: null, to, facts, lifetimeMs: days(3) });

/** Writes the letters with links. Each has a token of its own, made as it is written, so that none stands in the queue. */
export const proofLetters = (needs: Needs) => ({
  kind: PROOF,
  async write(address: string, { account_id }: Record<string, unknown>): Promise<LetterText | null> {
    const accountId = text(account_id);
    const token = needs.ids.token(32);
    const account = await needs.system.tx(async (tx) => {
      const found = await needs.tenants.findAccountById(accountId, tx);
      const now = needs.clock.now();
      if (!found) return null;
      if (found.email !== address) {
        // Chosen anew since, or somebody else's: they get no letter, and nobody learns of it.
        if ((await findPending(tx, accountId, now)) !== address) return null;
        if (await needs.tenants.findAccount(address, tx)) return null;
      }
      const expires_at = now + LIFETIME_MS;
      await insertProof(tx, { hash: sha256Hex(token), account_id: accountId, email: address, expires_at });
      return found;
    });
    if (!account) return null;
    // By the address that the account has: the new one is nobody's yet.
    const { language, workspace } = await needs.tenants.findReader(account.email, null);
    const { subject, paragraph, label, footer } = PROOF_WORDS[language](needs.config.public_url);
    return {
      ...{ language, workspace, subject, footer },
      greeting: greet(language, account.display_name),
      paragraphs: [paragraph],
      action: { label, url: `${needs.config.public_url}/confirm-email#${token}` },
    };
  },
});

/** Writes the letters to the address before. */
export const changeLetters = ({ config, tenants }: Pick<Needs, "config" | "tenants">) => ({
  kind: CHANGE,
  async write(address: string, { told, name, email, ip }: Record<string, unknown>): Promise<LetterText | null> {
    const isDone = told === "done";
    // Once it is done the account has the new address.
    const { language, workspace } = await tenants.findReader(isDone ? text(email) : address, null);
    const { subject, paragraph, label, footer } = CHANGE_WORDS[language](text(email), text(ip))[
      isDone ? "done" : "asked"
    ];
    return {
      ...{ language, workspace, subject, footer },
      greeting: greet(language, text(name)),
      paragraphs: [paragraph],
      action: { label, url: `${config.public_url}/profile` },
    };
  },
});
