import { type Authority, openAuthority } from "../pki/index.ts";
import { createAuthorityStore } from "./authority-store.ts";
import type { Needs } from "./needs.ts";

/** The certificate authority in the tables; made on the first start. Throws when it was sealed under another key. */
export function openNodeAuthority(needs: Pick<Needs, "system" | "seal" | "clock" | "ids">): Promise<Authority> {
  const { system, seal, clock, ids } = needs;
  return openAuthority({ seal, clock, ids, store: createAuthorityStore(system) });
}
