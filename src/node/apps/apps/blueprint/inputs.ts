import { kernelFail } from "../../../../kernel/http/errors.ts";
import type { Manifest } from "../../templates/index.ts";
import type { AppConfig } from "../contract.ts";

type Input = Manifest["inputs"][number];

const EMAIL = /^[^@\s]+@[^@\s]+$/;
const LINE_BREAK = /[\0\r\n]/;

const isTimezone = (value: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
};

const isHttpUrl = (value: string): boolean => /^https?:$/.test(URL.parse(value)?.protocol ?? "");

/** What is wrong with a value of that type; null when nothing is. */
function typeFault({ type, rules }: Input, value: string): string | null {
  switch (type) {
    case "number": {
      const number = Number(value);
      if (value.trim() === "" || !Number.isFinite(number)) return "must be a number";
      if (rules?.min !== undefined && number < rules.min) return `must be at least ${rules.min}`;
      if (rules?.max !== undefined && number > rules.max) return `must be at most ${rules.max}`;
      return null;
    }
    case "boolean":
      return value === "true" || value === "false" ? null : "must be true or false";
    case "email":
      return EMAIL.test(value) ? null : "must be an e-mail address";
    case "url":
      return isHttpUrl(value) ? null : "must be an address that begins with http:// or https://";
    case "timezone":
      return isTimezone(value) ? null : "must be a time zone such as Europe/Berlin";
    case "select": {
      const options = rules?.options?.map((option) => option.value) ?? [];
      return options.includes(value) ? null : `must be one of ${options.join(", ")}`;
    }
    default:
      return null;
  }
}

function textFault({ rules }: Input, value: string): string | null {
  if (LINE_BREAK.test(value)) return "must be one line";
  if (rules?.min_length !== undefined && value.length < rules.min_length)
    return `must have at least ${rules.min_length} characters`;
  if (rules?.max_length !== undefined && value.length > rules.max_length)
    return `must have at most ${rules.max_length} characters`;
  if (rules?.pattern !== undefined && !new RegExp(`^(?:${rules.pattern})$`).test(value))
    return rules.pattern_hint ?? `must match ${rules.pattern}`;
  return null;
}

/**
 * The answers to a template's questions, defaults filled in. Throws `invalid_request` with the field
 * `config.inputs.KEY` for an unknown key, a missing required answer, or one that breaks a rule.
 */
export function resolveInputs(
  inputs: readonly Input[],
  given: NonNullable<AppConfig["inputs"]>,
): Record<string, string> {
  for (const key of Object.keys(given)) {
    if (inputs.some((input) => input.key === key)) continue;
    throw kernelFail("invalid_request", { field: `config.inputs.${key}`, reason: "is not a question of this app" });
  }
  const answers: Record<string, string> = {};
  for (const input of inputs) {
    const value = String(given[input.key] ?? input.default ?? "");
    answers[input.key] = value;
    const refuse = (reason: string) => kernelFail("invalid_request", { field: `config.inputs.${input.key}`, reason });
    if (value === "" && input.required) throw refuse("is required");
    const fault = value === "" ? null : (typeFault(input, value) ?? textFault(input, value));
    if (fault !== null) throw refuse(fault);
  }
  return answers;
}
