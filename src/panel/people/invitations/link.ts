import type { Needs } from "./needs.ts";

/** Where an invitation leads. The token stands in the fragment, which reaches no log. */
export const linkOf = ({ config }: Pick<Needs, "config">, token: string): string =>
  `${config.public_url}/join#${token}`;
