import { Value } from "@sinclair/typebox/value";
import { parseJson } from "../../../lib/json.ts";
import { TestReport } from "./contract.ts";

/** A report as it is kept; null for none, and for one of another version of this program. */
export function readReport(json: string | null): TestReport | null {
  const told = json === null ? null : parseJson(json);
  return Value.Check(TestReport, told) ? told : null;
}
