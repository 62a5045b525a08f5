import { type Static, t } from "elysia";
import { UPLOAD } from "../../../kernel/http/access.ts";
import { answersAs, noContent, takesFile } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { open, user } from "../../access.ts";

export const AvatarResult = t.Object({ avatar_url: t.String() });
export type AvatarResult = Static<typeof AvatarResult>;

export const fail = defineErrors({
  avatar_missing: [400, "Send the picture as multipart field `file`."],
  avatar_unreadable: [400, "This is not a PNG, JPEG or WebP picture that can be read."],
  avatar_too_many_pixels: [400, "The picture has more than {limit_megapixels} megapixels. Make it smaller first."],
  avatar_too_many_scans: [
    400,
    "The picture is built up in too many steps, or in an unusual way. Save it as a plain JPEG or PNG first.",
  ],
  avatar_sender_left: [408, "The connection ended before it was this picture's turn. Send it again."],
});

export type AvatarEvents = {
  "avatar.changed": { user_id: string };
};

export const avatarRoutes = defineRoutes({
  /** Multipart, field `file`, at most 2 MB; twenty in ten minutes. */
  "PUT /api/profile/avatar": { access: user(), ...UPLOAD, ...takesFile("file"), out: AvatarResult },
  "DELETE /api/profile/avatar": { access: user(), ...noContent() },
  "GET /api/avatars/{sha256}.png": { access: open(), ...answersAs("image/png") },
});
export type AvatarApi = ApiOf<typeof avatarRoutes>;
