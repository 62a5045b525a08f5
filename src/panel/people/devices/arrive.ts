import { networkOf } from "../../../kernel/http/peer.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days } from "../../../lib/duration.ts";
import { readUserAgent } from "../../../lib/user-agent.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { isMarked, readDevice } from "./device-cookie.ts";
import { tellByMail } from "./letters.ts";
import type { Needs } from "./needs.ts";
import { deletePlace, listPlaces, putPlace } from "./store.ts";

/** As long as the cookie of a browser is kept. */
const KNOWN_MS = days(180);
const MAX_PLACES = 20;
/** As often as an account is told in a day: a program that signs in from ever new places fills nobody's mailbox. */
const TOLD = { most: 5, inMs: days(1) };

/** Whose browser it is by its mark: an account's, or a member's that the workspace's own sign-in let in, who is not known anywhere else. */
export const holderOf = (member: MembershipRow, isWsl: boolean): string =>
  isWsl ? member.member_id : member.account_id;

/**
 * Tells the owner of an account of a sign-in where there was none before: neither in this browser, by its cookie, nor in the same network
 * with a browser of this name. Nobody hears of the first one. Part of the transaction that begins the session.
 */
export async function noteArrival(
  needs: Needs,
  tx: SystemTx,
  member: MembershipRow,
  { ip, request }: { ip: string; request: Request },
  isWsl: boolean,
): Promise<void> {
  const { clock, tenants, bus } = needs;
  const { account_id } = member;
  await tenants.lockAccount(tx, account_id);
  const now = clock.now();
  const browser = readUserAgent(request.headers.get("user-agent"));
  const place = sha256Hex(`${account_id} ${networkOf(ip)} ${browser.program} ${browser.system}`);
  const places = await listPlaces(tx, account_id);
  const former = places.find((one) => one.place === place);
  const device = readDevice(request);
  const isKnown =
    (former !== undefined && former.seen_at > now - KNOWN_MS) ||
    (device !== null && isMarked(needs, device, holderOf(member, isWsl)));
  const told = places.filter(({ told_at }) => told_at !== null && told_at > now - TOLD.inMs);
  const isTold = places.length > 0 && !isKnown && told.length < TOLD.most;
  await putPlace(tx, { account_id, place, seen_at: now, told_at: isTold ? now : (former?.told_at ?? null) });
  // Those that count as told today stay, whatever comes after them.
  const surplus = places.filter((one) => one !== former).slice(MAX_PLACES - 1);
  for (const one of surplus) if (!told.includes(one)) await deletePlace(tx, one);
  if (!isTold) return;
  await bus.emit(tx, "account.new_device", { by: byMember({ ...member, is_wsl: isWsl }, ip), ...browser, at: now });
  await tellByMail(needs, tx, account_id, { ...browser, at: now, ip });
}
