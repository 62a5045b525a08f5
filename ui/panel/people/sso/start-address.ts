/** Where a sign-in through a provider begins, for whoever wants to go on at `to`. */
export function startOf(url: string, to: string, email?: string): string {
  const query = new URLSearchParams({ return_to: to, ...(email === undefined ? {} : { login_hint: email }) });
  return `${url}?${query}`;
}

/** A path of this page, whatever an address says. */
export function ownPath(to: string | null): string {
  return to !== null && /^\/(?![/\\])/.test(to) ? to : "/";
}
