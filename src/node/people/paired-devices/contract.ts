import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, NullableText } from "../../../kernel/http/schema.ts";
import { open, user } from "../../access.ts";
import { User } from "../users/contract.ts";

/** Shown by a signed-in screen, typed or scanned by the app within ten minutes. */
export const Pairing = t.Object({ code: t.String(), expires_at: t.String() });
export type Pairing = Static<typeof Pairing>;

export const PairInput = t.Object({
  code: t.String({ minLength: 1, maxLength: 64 }),
  name: NameText(64),
});
export type PairInput = Static<typeof PairInput>;

/** The only answer that carries the device token; send it as `Authorization: Bearer dev_…`. */
export const Paired = t.Object({ id: t.String(), name: t.String(), token: t.String(), user: User });
export type Paired = Static<typeof Paired>;

export const PairedDevice = t.Object({
  id: t.String(),
  name: t.String(),
  created_at: t.String(),
  last_used_at: NullableText,
});
export type PairedDevice = Static<typeof PairedDevice>;

export const DeviceParams = t.Object({ id: t.String() });

export const fail = defineErrors({
  pairing_code_wrong: [401, "This pairing code is wrong, used or over ten minutes old. Show a new one."],
  paired_device_limit: [409, "An account can have {limit} paired devices. Remove one first."],
  paired_device_not_found: [404, "There is no paired device {id} of yours."],
});

export type PairedDeviceEvents = {
  "device.paired": { user_id: string; device_id: string; name: string; ip: string };
  "device.removed": { user_id: string; device_id: string; name: string; ip: string };
};

export const pairedDeviceRoutes = defineRoutes({
  "POST /api/paired-devices/pairings": { access: user(null, { keys: "never" }), out: Pairing },
  "POST /api/paired-devices/pair": { access: open(), body: PairInput, out: Paired },
  "GET /api/paired-devices": { access: user(), out: t.Array(PairedDevice) },
  "DELETE /api/paired-devices/{id}": { access: user(), params: DeviceParams, out: t.Object({ message: t.String() }) },
});
export type PairedDeviceApi = ApiOf<typeof pairedDeviceRoutes>;
