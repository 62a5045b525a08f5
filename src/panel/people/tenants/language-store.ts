import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import { isLanguage, type Language } from "../../languages.ts";

type System = SystemDb | SystemTx;

/** Whom a letter goes to. */
export interface Reader {
  /** What it is written in. */
  language: Language;
  /** The name of the workspace that it speaks for; empty where there is none. */
  workspace: string;
}

interface OfWorkspace {
  name: string;
  language: string | null;
}

const ofAccount = (db: System, email: string) =>
  db.get<{ id: string; language: string | null; browser_language: string | null }>(
    "SELECT id, language, browser_language FROM accounts WHERE email = ?",
    [email],
  );

/** The workspace with this id, or for a letter of none the one that the account was in last. */
async function findWorkspace(db: System, tenantId: string | null, accountId: string): Promise<OfWorkspace | null> {
  if (tenantId !== null) return db.get("SELECT name, language FROM tenants WHERE tenant_id = ?", [tenantId]);
  return db.get(
    `SELECT t.name, t.language FROM members m JOIN tenants t ON t.tenant_id = m.tenant_id
     WHERE m.account_id = ? AND m.status = 'active' AND t.status = 'active'
     ORDER BY coalesce(m.last_active_at, 0) DESC, m.tenant_id LIMIT 1`,
    [accountId],
  );
}

const firstOf = (codes: readonly (string | null | undefined)[]): Language => codes.find(isLanguage) ?? "en";

/**
 * How somebody is written to: in the language that they chose; else the one that whoever has it written asks for (`wanted`); else that of
 * the workspace; else that of their browser when they came; else in English.
 */
export async function findReader(
  db: System,
  email: string,
  tenantId: string | null,
  wanted: Language | null = null,
): Promise<Reader> {
  const account = await ofAccount(db, email);
  const workspace = await findWorkspace(db, tenantId, account?.id ?? "");
  const language = firstOf([account?.language, wanted, workspace?.language, account?.browser_language]);
  return { language, workspace: workspace?.name ?? "" };
}

/** What somebody chose, and what holds in a workspace for as long as they choose nothing. */
export async function findLanguages(
  db: System,
  email: string,
  tenantId: string,
): Promise<{ language: Language | null; otherwise: Language }> {
  const account = await ofAccount(db, email);
  const workspace = await findWorkspace(db, tenantId, "");
  const otherwise = firstOf([workspace?.language, account?.browser_language]);
  return { language: isLanguage(account?.language) ? account.language : null, otherwise };
}

/** Chooses the language of an account; null goes by the workspace again. */
export async function updateLanguage(tx: SystemTx, accountId: string, language: Language | null): Promise<void> {
  await tx.run("UPDATE accounts SET language = ? WHERE id = ?", [language, accountId]);
}
