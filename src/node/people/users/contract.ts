import { type Static, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { admin, type Role } from "../../access.ts";

export const RoleName = t.Union([t.Literal("admin"), t.Literal("member"), t.Literal("viewer")]);

export const User = t.Object({
  id: t.String(),
  username: t.String(),
  role: RoleName,
  created_at: t.String(),
  avatar_url: NullableText,
  disabled: t.Boolean(),
});
export type User = Static<typeof User>;

export const Username = t.String({ minLength: 1, maxLength: 64, pattern: "^[A-Za-z0-9][A-Za-z0-9._@+-]*$" });
export const Password = t.String({ maxLength: 1024 });

/** Without a password the node makes a temporary one, which the user has to change at the first sign-in. */
export const UserInput = t.Object({ username: Username, password: t.Optional(Password), role: RoleName });
export type UserInput = Static<typeof UserInput>;

/** The only answer that carries a temporary password. */
export const UserCreated = t.Object({ ...User.properties, temporary_password: t.Optional(t.String()) });
export type UserCreated = Static<typeof UserCreated>;

export const UserChange = t.Object({
  username: t.Optional(Username),
  role: t.Optional(RoleName),
  disabled: t.Optional(t.Boolean()),
});
export type UserChange = Static<typeof UserChange>;

/** What outlasts sessions and goes on after a new password only when its owner says so. */
export const Kept = t.Optional(
  t.Array(t.Union([t.Literal("keys"), t.Literal("devices"), t.Literal("passkeys"), t.Literal("webdav")]), {
    maxItems: 4,
  }),
);
export type Kept = Static<typeof Kept>;

export const UserParams = t.Object({ id: t.String() });

export const fail = defineErrors({
  user_not_found: [404, "There is no user {id}."],
  username_taken: [409, "The user name {username} is taken. Choose another one."],
  password_unusable: [400, "This password {reason}. Choose another one."],
  key_cannot_raise: [403, "An API key can lower a role or switch an account off, no more. Sign in and do it there."],
  user_has_belongings: [
    409,
    "{username} keeps {what}, which go with the account for good. Delete the account with with_belongings=true if that is meant.",
  ],
  last_admin: [409, "This is the only active admin. Make someone else an admin first."],
});

export type UserEvents = {
  "user.created": { actor_id: string; user_id: string; username: string; role: Role; ip: string };
  "user.renamed": { actor_id: string; user_id: string; from: string; to: string; ip: string };
  "user.role_changed": { actor_id: string; user_id: string; from: Role; to: Role; ip: string };
  "user.disabled": { actor_id: string; user_id: string; ip: string };
  "user.enabled": { actor_id: string; user_id: string; ip: string };
  "user.deleted": { actor_id: string; user_id: string; username: string; ip: string };
};

export const userRoutes = defineRoutes({
  "GET /api/users": { access: admin("users"), out: t.Array(User) },
  "POST /api/users": { access: admin("users", { keys: "never" }), body: UserInput, out: UserCreated },
  /** An API key can lower a role or switch an account off, no more. */
  "PATCH /api/users/{id}": {
    access: admin("users", { keys: "bounded" }),
    params: UserParams,
    body: UserChange,
    out: User,
  },
  "DELETE /api/users/{id}": {
    access: admin("users"),
    params: UserParams,
    /** What the user keeps here may go too; without it, an account that keeps something stays. */
    query: t.Object({ with_belongings: t.Optional(t.Boolean()) }),
    ...noContent(),
  },
});
export type UserApi = ApiOf<typeof userRoutes>;
