/** Where an invitation leads, at the panel's own address. The token stands in the fragment, which reaches no log. */
export const linkOf = (origin: string, token: string): string => `${origin}/join#${token}`;
