import { isStillAllowed } from "../../../kernel/http/access.ts";
import type { Actor } from "../../actor.ts";
import type { Asker } from "./contract.ts";

/** Who asks for what lasts, and may have to end with the key that it was asked with. */
export const lastingAsker = ({ actor, ip, request }: { actor: Actor; ip: string; request: Request }): Asker => ({
  ...{ user_id: actor.user_id, ip },
  ...(actor.key === null ? {} : { key_id: actor.key.id, isStillIn: () => isStillAllowed(request) }),
});
