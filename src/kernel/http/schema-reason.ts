/** The parts of a JSON schema that say what a value may be. */
interface Choice {
  const?: unknown;
  enum?: unknown[];
  type?: string;
  anyOf?: Choice[];
  minimum?: number;
  maximum?: number;
}

const range = ({ minimum, maximum }: Choice): string => {
  if (minimum === undefined) return maximum === undefined ? "" : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
};

/** Why a value fails its schema, for people; `message` is the validator's own text, used when the schema says no more. */
export function schemaReason(message: string, schema: Choice | undefined): string {
  const choices = schema?.anyOf ?? [];
  const words = schema?.enum ?? choices.map((choice) => choice.const);
  if (words.length > 0 && words.every((word) => word !== undefined)) return `must be one of ${words.join(", ")}`;
  if (choices.some(({ type }) => type === "boolean")) return "must be true or false";
  const number = choices.find(({ type }) => type === "integer" || type === "number");
  if (number) return `must be a ${number.type === "integer" ? "whole number" : "number"}${range(number)}`;
  return message;
}
