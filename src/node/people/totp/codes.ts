import { type RowSeal, sealRows } from "../../../kernel/seal.ts";
import { findTotpStep, hashRecoveryCode } from "../../../shared/totp/index.ts";
import type { Needs } from "./needs.ts";
import { claimStep, deleteRecoveryCode, findTotp, type TotpRow } from "./store.ts";

export type CodeNeeds = Pick<Needs, "db" | "clock" | "seal">;

/** The secrets of apps, by whose they are. */
export const secretsUnder = ({ seal }: Pick<Needs, "seal">): RowSeal => sealRows(seal, "totp");

/** The key under which recovery codes are kept. */
export const recoveryKey = ({ seal }: Pick<Needs, "seal">): Uint8Array => seal.deriveKey("recovery-code");

/** Accepts a TOTP code of the row's secret at most once, within one step of now. */
export function acceptTotpCode({ db, clock, seal }: CodeNeeds, row: TotpRow, code: string): boolean {
  const step = findTotpStep(secretsUnder({ seal }).open(row.user_id, row.secret), code, clock.now());
  return step !== null && claimStep(db, row.user_id, step);
}

/** Uses up a code of an account that has TOTP on; tells which kind it was, or null when it is not good. */
export function useCode(needs: CodeNeeds, userId: string, code: string): "totp" | "recovery_code" | null {
  const row = findTotp(needs.db, userId);
  if (!row || row.enabled_at === null) return null;
  if (acceptTotpCode(needs, row, code)) return "totp";
  return deleteRecoveryCode(needs.db, userId, hashRecoveryCode(recoveryKey(needs), code)) ? "recovery_code" : null;
}
