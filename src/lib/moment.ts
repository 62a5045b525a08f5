const HAS_ZONE = /(Z|[+-]\d\d:?\d\d)$/i;
const IS_ISO = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Whether the calendar has that day: the runtime takes 30 February for 2 March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** Times as text are in their order where they have the same form; one without time stands before all. */
export const compareTimes = (left: string | null, right: string | null): number => {
  if (left === right) return 0;
  return (left ?? "") < (right ?? "") ? -1 : 1;
};

/** Milliseconds of an ISO 8601 date or time; one without a zone is UTC, whatever the server's own is. Null for other text. */
export function parseMoment(text: string): number | null {
  if (!IS_ISO.test(text) || !isDay(text)) return null;
  const isDateOnly = text.length === 10;
  const at = Date.parse(isDateOnly || HAS_ZONE.test(text) ? text : `${text}Z`);
  return Number.isFinite(at) ? at : null;
}
