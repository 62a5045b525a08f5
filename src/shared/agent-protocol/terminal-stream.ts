import { type Static, t } from "elysia";

/** The services of a node that let people of its panel talk to a shell: in an app of it, and of the server itself. */
export const TERMINAL_SERVICE = "terminal";
export const HOST_TERMINAL_SERVICE = "host-terminal";

export const MOST_COLUMNS = 500;
export const MOST_ROWS = 300;

/** The id or the name of an app, and which of its services; left out, the first one that runs. */
export const ShellPlace = t.Object({
  app: t.String({ minLength: 1, maxLength: 128 }),
  service: t.Optional(t.String({ minLength: 1, maxLength: 128 })),
});
export type ShellPlace = Static<typeof ShellPlace>;

/** What travels in either direction: bytes of the terminal, or a word about it. */
export const TerminalItem = t.Union([
  t.Object({ bytes: t.String({ maxLength: 90_000 }) }),
  t.Object({ word: t.Record(t.String(), t.Unknown()) }),
]);
export type TerminalItem = Static<typeof TerminalItem>;
