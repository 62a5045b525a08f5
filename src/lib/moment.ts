const HAS_ZONE = /(Z|[+-]\d\d:?\d\d)$/i;
const IS_ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Milliseconds of an ISO 8601 date or time; one without a zone is UTC, whatever the server's own is. Null for other text. */
export function parseMoment(text: string): number | null {
  if (!IS_ISO.test(text)) return null;
  const isDateOnly = text.length === 10;
  const at = Date.parse(isDateOnly || HAS_ZONE.test(text) ? text : `${text}Z`);
  return Number.isFinite(at) ? at : null;
}
