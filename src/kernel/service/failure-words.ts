import { isDiskFull } from "../disk-full.ts";

/** What ended a command, why, and what to do, in words for people; an error that nobody foresaw speaks for itself. */
export function failureWords(error: unknown): string {
  if (isDiskFull(error))
    return "The disk with its data is full. Free some space; where it runs as a service, it starts by itself then.";
  if (!(error instanceof Error)) return String(error);
  const { code, path = "", syscall }: NodeJS.ErrnoException = error;
  if (code === "EADDRINUSE") {
    const port = /\d+(?=\D*$)/.exec(error.message)?.[0] ?? "";
    return `Another program listens on port ${port} already. Find it with: ss -ltnp 'sport = :${port}'; or choose another port.`;
  }
  if (syscall === "mkdir" && (code === "EEXIST" || code === "ENOTDIR"))
    return `${path} is not a folder. Move away what is there, or choose another folder with --data.`;
  return error.message;
}
