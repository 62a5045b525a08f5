/** The parts of a JSON schema that say what a value may be. */
interface Choice {
  const?: unknown;
  enum?: unknown[];
  type?: string;
  anyOf?: Choice[];
  minimum?: number;
  maximum?: number;
  /** What people are told about a text that does not match its pattern. */
  description?: string;
}

const range = ({ minimum, maximum }: Choice): string => {
  if (minimum === undefined) return maximum === undefined ? "" : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
};

/** The validator's sentences and what people are told instead. */
const PLAIN: readonly [pattern: RegExp, words: string][] = [
  [/^Unexpected property$/, "is not known here"],
  [/^Expected required property$/, "is missing"],
  [/^Expected (?:integer|number) to be less or equal to (.+)$/, "must be at most $1"],
  [/^Expected (?:integer|number) to be greater or equal to (.+)$/, "must be at least $1"],
  [/^Expected (?:integer|number) to be less than (.+)$/, "must be less than $1"],
  [/^Expected (?:integer|number) to be greater than (.+)$/, "must be more than $1"],
  [/^Expected string length less or equal to (.+)$/, "must have at most $1 characters"],
  [/^Expected (?:string|array) length (?:to be )?greater or equal to 1$/, "must not be empty"],
  [/^Expected string length greater or equal to (.+)$/, "must have at least $1 characters"],
  [/^Expected array length to be less or equal to (.+)$/, "must have at most $1 entries"],
  [/^Expected array length to be greater or equal to (.+)$/, "must have at least $1 entries"],
  [/^Expected array elements to be unique$/, "must not name anything twice"],
  [/^Expected object to have no more than (.+) properties$/, "must have at most $1 fields"],
  [/^Expected object to have at least (.+) properties$/, "must have at least $1 fields"],
  [/^Expected string to match '(.+)' format$/, "must be a valid $1"],
  [/^Expected string to match '(.+)'$/, "must match $1"],
  [/^Expected string$/, "must be text"],
  [/^Expected integer$/, "must be a whole number"],
  [/^Expected number$/, "must be a number"],
  [/^Expected boolean$/, "must be true or false"],
  [/^Expected array$/, "must be a list"],
  [/^Expected object$/, "must be an object"],
  [/^Expected null$/, "must be null"],
  [/^Expected ('.*'|true|false|-?[\d.]+)$/, "must be $1"],
  [/^Expected union value$/, "is of a kind that does not fit here"],
];

function inPlainWords(message: string): string {
  const found = PLAIN.find(([pattern]) => pattern.test(message));
  return found ? message.replace(found[0], found[1]) : message;
}

/** What a value may be, also where a choice is a choice itself: Elysia makes numbers of a query one. */
function choicesOf(schema: Choice | undefined): Choice[] {
  return (schema?.anyOf ?? []).flatMap((choice) => (choice.anyOf ? choicesOf(choice) : [choice]));
}

const wholeNumber = (schema: Choice | undefined): Choice | undefined =>
  schema?.type === "integer" ? schema : undefined;

/** Why a value fails its schema, for people; `message` is the validator's own text, the source where the schema says no more. */
export function schemaReason(message: string, schema: Choice | undefined): string {
  const choices = choicesOf(schema);
  const words = schema?.enum ?? choices.map((choice) => (choice.type === "null" ? "null" : choice.const));
  if (words.length > 0 && words.every((word) => word !== undefined)) return `must be one of ${words.join(", ")}`;
  if (choices.some(({ type }) => type === "boolean")) return "must be true or false";
  const number = choices.find(({ type }) => type === "integer" || type === "number") ?? wholeNumber(schema);
  if (number) return `must be a ${number.type === "integer" ? "whole number" : "number"}${range(number)}`;
  if (schema?.description?.startsWith("must ") && message.startsWith("Expected string to match"))
    return schema.description;
  return inPlainWords(message);
}
