import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { minutes } from "../../../lib/duration.ts";
import { bindRoutes } from "../../route.ts";
import { avatarRoutes } from "./contract.ts";
import { readAvatar, removeAvatar, setAvatar } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { AVATAR_BODY_BYTES, readPicture } from "./upload.ts";

/** Pictures of one user that may be on their way at a time. */
const UPLOADS = 2;
/** What pictures of all users may hold on their way. */
const UPLOADS_BYTES = 16 * AVATAR_BODY_BYTES;
/** Pictures of one user in ten minutes: each takes the processor for up to a third of a second, and only one is made at a time. */
const PICTURES = 20;

/** What answers the routes of avatars. */
export function bindAvatarRoutes(needs: Needs): BoundRoutes {
  const readWithin = createBodyIntake(needs.clock, { each: UPLOADS * AVATAR_BODY_BYTES, all: UPLOADS_BYTES });
  const sent = createLimiter(needs.clock, PICTURES, minutes(10));
  return bindRoutes(avatarRoutes, {
    "PUT /api/profile/avatar": async ({ actor, request }) => {
      takeOne(sent, actor.user_id);
      const bytes = await readWithin(actor.user_id, (take) => readPicture(request, take));
      return await setAvatar(needs, actor.user_id, { bytes, left: request.signal });
    },
    "DELETE /api/profile/avatar": ({ actor, set }) => {
      removeAvatar(needs, actor.user_id);
      set.status = 204;
    },
    "GET /api/avatars/{sha256}.png": ({ params, set }) => {
      const png = readAvatar(needs, params["sha256.png"]);
      if (!png) throw kernelFail("not_found");
      set.headers["content-type"] = "image/png";
      set.headers["cache-control"] = "public, max-age=31536000, immutable";
      return new Response(png);
    },
  });
}
