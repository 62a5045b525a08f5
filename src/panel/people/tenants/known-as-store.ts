import { lookedFor } from "../../addresses.ts";
import type { TenantQueries } from "../../data/tenant-db.ts";

/** A member whom a workspace knows by an address that their account need not have. */
export interface KnownAs {
  member_id: string;
  account_id: string;
  status: "active" | "disabled";
  /** `told`: the directory has it for them by now. `had`: their account had it, or the directory forgot them. */
  how: "told" | "had";
  /** Whoever asked for that address before did not know that it is or was theirs. */
  since: number;
  /** 1: their account had it no more when they became a member, so that the workspace never knew them by it. */
  is_before: number;
}

/** More than ever had the same address; the last ones count. */
const KNOWN_MAX = 50;

const MEMBER = "m.id AS member_id, m.account_id, m.status";
const BEGAN = "coalesce(m.let_in_at, m.created_at)";
const sinceOf = (at: string): string => `CASE WHEN ${at} > ${BEGAN} THEN ${at} ELSE ${BEGAN} END AS since`;
const KNOWN = `SELECT ${MEMBER}, CASE WHEN u.state = 'gone' THEN 'had' ELSE 'told' END AS how, 0 AS is_before, u.updated_at AS at,
    ${sinceOf("coalesce(u.ended_at, u.created_at)")}
    FROM scim_users u JOIN members m ON m.tenant_id = u.tenant_id AND m.id = u.member_id
    WHERE u.tenant_id = :tenant AND (u.user_key = ? OR u.email = ?)
  UNION SELECT ${MEMBER}, 'had' AS how, CASE WHEN f.until > m.created_at THEN 0 ELSE 1 END AS is_before, f.until AS at,
    ${sinceOf("f.until")}
    FROM former_addresses f JOIN members m ON m.account_id = f.account_id
    WHERE m.tenant_id = :tenant AND f.email = ? AND (f.is_proven = 1 OR f.until > m.created_at)
  ORDER BY how DESC, at DESC, member_id LIMIT ?`;

/**
 * Whom a workspace knows by an address besides the one whose account has it, the first of them first: as the directory has it for them, or as
 * their account had it. One that was never proven may be anybody's: it counts where the workspace knew the member by it.
 */
export function listKnownAs(db: TenantQueries, email: string): Promise<KnownAs[]> {
  const address = lookedFor(email);
  return db.all(KNOWN, [address, address, address, KNOWN_MAX]);
}
