/** The kinds of rules that a route of the node can ask for: a role, and the scope that a key needs. */
export { admin, member, open, type Role, type Rule, user } from "../kernel/http/access.ts";
