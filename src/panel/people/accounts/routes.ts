import { Elysia } from "elysia";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { open, signedIn } from "../../access.ts";
import type { PanelRoutes } from "../../context.ts";
import { LoginBody, leaveToken, takeToken } from "../sessions/index.ts";
import { User } from "../tenants/index.ts";
import * as contract from "./contract.ts";
import { changePassword, getMe, logIn, logOut, refresh, register, updateProfile } from "./logic.ts";
import { takeOnboardingStep } from "./onboarding.ts";

export const accountRoutes: PanelRoutes = (ctx) =>
  new Elysia({ prefix: "/api/auth" })
    .use(ctx.guard)
    .post("/register", ({ ip, body, query }) => register(ctx, ip, { ...query, ...body }), {
      access: open(),
      query: contract.RegisterQuery,
      body: contract.RegisterInput,
      response: contract.Registered,
    })
    .post(
      "/login",
      async ({ ip, body, isHttps, set }) => leaveToken(set.headers, isHttps, await logIn(ctx, ip, body)),
      {
        access: open(),
        body: contract.LoginInput,
        response: LoginBody,
      },
    )
    .get("/me", ({ actor }) => getMe(ctx, actor), { access: signedIn({ whileSuspended: true }), response: User })
    .put("/profile", ({ actor, ip, body }) => updateProfile(ctx, actor, ip, body.name), {
      access: signedIn(),
      body: contract.ProfileInput,
      response: User,
    })
    .post(
      "/change-password",
      ({ actor, ip, body }) => changePassword(ctx, actor, ip, body.old_password, body.new_password),
      { access: signedIn(), body: contract.PasswordChange, response: contract.Done },
    )
    .post(
      "/password",
      ({ actor, ip, body }) => {
        const given = body.old_password ?? body.current_password;
        if (given === undefined)
          throw kernelFail("invalid_request", { field: "old_password", reason: "is needed, or current_password" });
        return changePassword(ctx, actor, ip, given, body.new_password);
      },
      { access: signedIn(), body: contract.PasswordChangeEither, response: contract.Done },
    )
    .post(
      "/onboarding",
      async ({ actor, ip, body, isHttps, set }) =>
        leaveToken(set.headers, isHttps, await takeOnboardingStep(ctx, actor, ip, body)),
      { access: signedIn(), body: contract.OnboardingInput, response: LoginBody },
    )
    .post("/refresh", async ({ actor, isHttps, set }) => leaveToken(set.headers, isHttps, await refresh(ctx, actor)), {
      access: signedIn({ whileExpired: true, whileSuspended: true }),
      response: LoginBody,
    })
    .post(
      "/logout",
      async ({ actor, ip, isHttps, set }) => {
        await logOut(ctx, actor, ip);
        takeToken(set.headers, isHttps);
        return { status: "ok" as const };
      },
      { access: signedIn({ whileExpired: true, whileSuspended: true }), response: contract.Done },
    );
