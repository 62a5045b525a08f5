/** A text as it stands in a pattern of SQL's LIKE with `ESCAPE '\'`, where it means itself. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");
