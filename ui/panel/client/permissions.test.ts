import { expect, test } from "bun:test";
import { holds } from "../../../src/panel/access.ts";
import { RoleName } from "../../../src/panel/people/tenants/contract.ts";
import { permissions, roleHas } from "./permissions.ts";

test("the page grants exactly what the server grants", () => {
  const roles = RoleName.anyOf.map((role) => role.const);
  expect(roles).toHaveLength(5);
  const differ = roles.flatMap((role) =>
    permissions.filter((permission) => roleHas(role, permission) !== holds(role, permission)).map((one) => [role, one]),
  );
  expect(differ).toEqual([]);
  expect(permissions.filter((permission) => holds("org_owner", permission))).toHaveLength(6);
});
