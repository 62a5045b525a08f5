import { networksAround } from "../../kernel/http/peer.ts";
import { VISITORS } from "../../kernel/sql/port.ts";
import type { Whose } from "../../lib/fair-turns.ts";

/**
 * For whom is worked when somebody asks who is not signed in, as fair slots count it: visitors are a group of their own, and in it each
 * site has its share. So no crowd at the door keeps the panel's own work waiting, and none keeps all others from signing in.
 */
export const asVisitor = (ip: string): Whose => [VISITORS, networksAround(ip)[1]];
