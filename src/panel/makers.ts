/** Who made what goes on without them: it works only while its maker may have it. */
import { type Permission, rolesWith } from "./access.ts";

/**
 * An SQL condition on the rows of `table`, whose `maker` column has the id of the member who answers for each: it holds while that
 * member is active and their own role carries the permission, and for rows without a member on record.
 */
export const makerMay = (table: string, maker: string, permission: Permission): string =>
  `(${table}.${maker} IS NULL OR EXISTS (SELECT 1 FROM members maker WHERE maker.tenant_id = ${table}.tenant_id
  AND maker.id = ${table}.${maker} AND maker.status = 'active' AND maker.role IN (${rolesWith(permission)
    .map((role) => `'${role}'`)
    .join(", ")})))`;
