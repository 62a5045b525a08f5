import { type RowSeal, sealRows } from "../../../kernel/seal.ts";
import { findTotpStep, hashRecoveryCode } from "../../../shared/totp/index.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { claimStep, deleteRecoveryCode, findTotp, type TotpRow } from "./store.ts";

type Deps = Pick<Needs, "clock" | "seal">;

/** The secrets of apps, by the account whose they are. */
export const secretsUnder = ({ seal }: Pick<Needs, "seal">): RowSeal => sealRows(seal, "panel-totp");

/** The key under which recovery codes are kept. */
export const recoveryKey = ({ seal }: Pick<Needs, "seal">): Uint8Array => seal.deriveKey("panel-recovery-code");

/** Accepts a code of the row's secret at most once, within one step of now. */
export async function acceptCode({ clock, seal }: Deps, tx: SystemTx, row: TotpRow, code: string): Promise<boolean> {
  const step = findTotpStep(
    secretsUnder({ seal }).open(row.account_id, row.secret),
    code.replace(/\s/g, ""),
    clock.now(),
  );
  return step !== null && claimStep(tx, row.account_id, step);
}

/** True for a code of the account's app, which is used up by that. */
export async function useAppCode(deps: Deps, tx: SystemTx, accountId: string, code: string): Promise<boolean> {
  const row = await findTotp(tx, accountId);
  return row !== null && row.enabled_at !== null && acceptCode(deps, tx, row, code);
}

/** Uses up a code of the account; tells which kind it was, or null when it is not good. */
export async function useCode(
  deps: Deps,
  tx: SystemTx,
  accountId: string,
  code: string,
): Promise<"totp" | "recovery_code" | null> {
  if (await useAppCode(deps, tx, accountId, code)) return "totp";
  const hash = hashRecoveryCode(recoveryKey(deps), code);
  return (await deleteRecoveryCode(tx, accountId, hash)) ? "recovery_code" : null;
}
