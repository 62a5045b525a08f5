import { createHmac } from "node:crypto";
import { readCookie } from "../../../kernel/http/own-page.ts";
import { constantTimeEqual } from "../../../lib/digest.ts";
import type { PanelBase } from "../../base.ts";

const NAME = "orrery_panel_device";
const LIFETIME_S = 180 * 86_400;
const ID = /^[A-Za-z0-9_-]{22}$/;
/** People that one browser remembers. */
const MAX_ACCOUNTS = 5;

/** What a browser brings along that somebody signed in with before; the marks are those of the accounts and members, newest first. */
export interface KnownDevice {
  id: string;
  marks: string[];
}

type Deps = Pick<PanelBase, "seal">;

function markOf({ seal }: Deps, id: string, holderId: string): string {
  return createHmac("sha256", seal.deriveKey("panel-device")).update(`${id} ${holderId}`).digest("base64url");
}

/** The browser's cookie; null when it has none that is one of ours in form. */
export function readDevice(request: Request): KnownDevice | null {
  const [id = "", ...marks] = (readCookie(request, NAME) ?? "").split(".");
  return ID.test(id) ? { id, marks: marks.slice(0, MAX_ACCOUNTS) } : null;
}

/** True when the holder of this id, an account or a member, signed in with this browser before. */
export function isMarked(deps: Deps, device: KnownDevice, holderId: string): boolean {
  const mark = markOf(deps, device.id, holderId);
  return device.marks.some((each) => constantTimeEqual(each, mark));
}

/**
 * The cookie by which a browser is known again when its holder signs in the next time. It opens nothing: it only says whose
 * wrong passwords are counted by themselves.
 */
export function deviceCookie(
  deps: Deps & Pick<PanelBase, "ids">,
  device: KnownDevice | null,
  holderId: string,
  secure: boolean,
): string {
  const id = device?.id ?? deps.ids.token(16);
  const mark = markOf(deps, id, holderId);
  const marks = [mark, ...(device?.marks ?? []).filter((each) => each !== mark)].slice(0, MAX_ACCOUNTS);
  return new Bun.Cookie(NAME, [id, ...marks].join("."), {
    path: "/api/auth",
    httpOnly: true,
    sameSite: "strict",
    secure,
    maxAge: LIFETIME_S,
  }).serialize();
}
