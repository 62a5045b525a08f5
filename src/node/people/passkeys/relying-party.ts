import { type PasskeySupport, readPasskeySupport } from "../../../shared/webauthn/index.ts";
import type { NodeBase } from "../../base.ts";

export const RP_ID_SETTING = "auth.webauthn_rp_id";

/** Whether passkeys work for the address of this request, for the domain that the owner chose. */
export const readSupport = (
  { settings, config }: Pick<NodeBase, "settings" | "config">,
  request: Request,
  isHttps: boolean,
): PasskeySupport => readPasskeySupport(request, isHttps, settings.get(RP_ID_SETTING) || config.webauthn_rp_id);
