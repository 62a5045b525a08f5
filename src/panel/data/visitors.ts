import { networksAround } from "../../kernel/http/peer.ts";
import { VISITORS } from "../../kernel/sql/port.ts";
import type { Whose } from "../../lib/fair-turns.ts";

/**
 * For whom is worked when somebody asks who is not signed in, as fair slots count it: visitors are a group of their own, in it each site
 * has its share, and in that each network. So no crowd at the door keeps the panel's own work waiting, none keeps all others from signing
 * in, and in one site those go first who asked for little.
 */
export function asVisitor(ip: string): Whose {
  const [, site, network] = networksAround(ip);
  return [VISITORS, site, network];
}
