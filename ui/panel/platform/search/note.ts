/** What is said of the servers that were asked too: that they are, or how many of them have not answered. */
export function noteOf({ asked, late }: { asked: number; late: number }, isOver: boolean): string | null {
  if (late === 0) return null;
  if (isOver) return late === 1 ? "1 server has not answered" : `${late} servers have not answered`;
  return asked === 1 ? "Asking 1 server…" : `${asked - late} of ${asked} servers have answered…`;
}
