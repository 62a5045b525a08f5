/** Why a user name is refused, or null; the same rule as the server's. An empty one is no fault before it is sent. */
export function usernameProblem(name: string): string | null {
  if (name.length > 64) return "At most 64 characters.";
  if (name !== "" && !/^[A-Za-z0-9._@+-]+$/.test(name)) return "Only letters, digits and . _ @ + -";
  if (/^[._@+-]/.test(name)) return "Beginning with a letter or a digit.";
  return null;
}
