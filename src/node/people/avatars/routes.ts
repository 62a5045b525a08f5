import { Elysia } from "elysia";
import { UPLOAD } from "../../../kernel/http/access.ts";
import { answersAs, noContent, takesFile } from "../../../kernel/http/answers.ts";
import { createBodyBudget } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { open, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { AvatarResult } from "./contract.ts";
import { readAvatar, removeAvatar, setAvatar } from "./logic.ts";
import { AVATAR_BODY_BYTES, readPicture } from "./upload.ts";

/** Pictures of one user that may be on their way at a time. */
const UPLOADS = 2;

export const avatarRoutes: NodeRoutes = (ctx) => {
  const readWithin = createBodyBudget(UPLOADS * AVATAR_BODY_BYTES);
  return new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .put(
      "/profile/avatar",
      async ({ actor, request }) => {
        const picture = await readWithin(actor.user_id, (take) => readPicture(request, take));
        return await setAvatar(ctx, actor.user_id, picture);
      },
      { access: user(), ...UPLOAD, ...takesFile("file"), response: AvatarResult },
    )
    .delete(
      "/profile/avatar",
      ({ actor, set }) => {
        removeAvatar(ctx, actor.user_id);
        set.status = 204;
      },
      { access: user(), ...noContent() },
    )
    .get(
      "/avatars/:sha256.png",
      ({ params, set }) => {
        const png = readAvatar(ctx, params["sha256.png"]);
        if (!png) throw kernelFail("not_found");
        set.headers["content-type"] = "image/png";
        set.headers["cache-control"] = "public, max-age=31536000, immutable";
        return new Response(png);
      },
      { access: open(), ...answersAs("image/png") },
    );
};
