import { lookedFor } from "../../addresses.ts";
import type { TenantQueries } from "../../data/tenant-db.ts";
import { domainOf } from "../sso/index.ts";
import { listKnownAs } from "../tenants/index.ts";
import type { Change } from "./change.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import type { UserInput } from "./read-resource.ts";
import { findUser, findUserByName, type Known, marksOf } from "./user-store.ts";

/** For what somebody else has. */
export const conflict = (detail: string) => fail("scim_conflict", { detail, scim_type: "uniqueness" });

/** Throws `scim_conflict` when somebody else has the name. */
export async function requireFree({ own }: Change, { user_name }: Pick<UserInput, "user_name">, id: string | null) {
  const other = await findUserByName(own, user_name);
  if (other && other.id !== id) throw conflict(`There is a user ${user_name} already.`);
}

/**
 * Throws `scim_conflict` where one of the addresses that somebody is told to have is or was another member's who may enter: they would be
 * here twice, and the directory could end one of both. `id` is who is told so, null for a newcomer.
 */
export async function requireNobodyElses(
  { sso }: Pick<Needs, "sso">,
  { own, tx, by }: Change,
  told: Known,
  externalId: string | null,
  id: string | null,
) {
  for (const { kind, value } of marksOf(told)) {
    if (kind !== "address") continue;
    for (const { member_id, status, is_before } of await listKnownAs(own, value)) {
      if (status !== "active" || member_id === id) continue;
      // Which addresses somebody had elsewhere before they came is no business of the workspace, so no answer tells of them.
      if (is_before === 1 && !(await sso.ownsDomain(tx, by.tenant_id, domainOf(value)))) continue;
      if (await isToldApart(own, member_id, value, externalId)) continue;
      throw conflict(
        is_before === 1
          ? `${value} was an address of somebody before the user ${member_id} became a member. If both are one person, keep that user by its id; if not, invite whoever has the address now under Team.`
          : `${value} is or was an address of the user ${member_id}, who is here already.`,
      );
    }
  }
}

/** True for a member whom the directory keeps itself, by another id than somebody else, and by another name and address since. */
async function isToldApart(db: TenantQueries, memberId: string, address: string, externalId: string | null) {
  const row = await findUser(db, memberId);
  if (!row?.external_id || externalId === null || row.external_id === externalId) return false;
  return row.email !== address && lookedFor(row.user_name ?? "") !== address;
}

/**
 * Throws `scim_conflict` where the directory tells somebody apart, by an id of its own, from whom it ended the access of: neither that
 * membership nor that account is theirs.
 */
export function requireSameId({ ended_id }: { ended_id: string | null }, { external_id, email }: UserInput): void {
  if (ended_id === null || external_id === null || ended_id === external_id) return;
  throw conflict(
    `The directory ended the access of ${email}, who had another externalId. If both are one person, give the access back in the workspace; if not, give whoever is new another address.`,
  );
}
