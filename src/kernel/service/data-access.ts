import type { CommandOptions, OptionSpec } from "./cli.ts";

/**
 * How a command of a feature reaches the program's data. The program opens it; a feature says in `Opened` what of it the
 * command works with.
 */
export interface DataAccess<Opened> {
  /** The option that names the data folder. */
  option: Record<string, OptionSpec>;
  /** Opens the data beside the program itself, running or not, and closes it after `use`. Throws when there is none. */
  open<T>(options: CommandOptions, use: (opened: Opened) => Promise<T>): Promise<T>;
}
