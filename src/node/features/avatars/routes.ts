import { Elysia } from "elysia";
import { open, UPLOAD, user } from "../../../kernel/http/access.ts";
import { answersAs, noContent, takesFile } from "../../../kernel/http/answers.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import type { NodeRoutes } from "../../context.ts";
import { AvatarResult } from "./contract.ts";
import { readAvatar, removeAvatar, setAvatar } from "./logic.ts";
import { readPicture } from "./upload.ts";

export const avatarRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api" })
    .use(ctx.guard)
    .put("/profile/avatar", async ({ actor, request }) => setAvatar(ctx, actor.user_id, await readPicture(request)), {
      access: user(),
      ...UPLOAD,
      ...takesFile("file"),
      response: AvatarResult,
    })
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
