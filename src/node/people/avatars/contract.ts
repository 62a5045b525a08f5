import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";

export const AvatarResult = t.Object({ avatar_url: t.String() });
export type AvatarResult = Static<typeof AvatarResult>;

export const fail = defineErrors({
  avatar_missing: [400, "Send the picture as multipart field `file`."],
  avatar_unreadable: [400, "This is not a PNG, JPEG or WebP picture that can be read."],
  avatar_too_many_pixels: [400, "The picture has more than {limit_megapixels} megapixels. Make it smaller first."],
});

export type AvatarEvents = {
  "avatar.changed": { user_id: string };
};

export type AvatarApi = {
  /** Multipart, field `file`, at most 2 MB. */
  "PUT /api/profile/avatar": { in: FormData; out: AvatarResult };
  "DELETE /api/profile/avatar": { out: undefined };
};
