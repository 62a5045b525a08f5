const CONNECTIONS = 16;

/** What `wrk` saw of one URL. */
export interface Load {
  requests: number;
  perSecond: number;
}

/** Asks one URL as fast as it answers, one thread and 16 connections. Throws when any answer is not 2xx. */
export async function load(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const child = Bun.spawn(["wrk", "-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, ...lines, url], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await child.stdout.text();
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  const requests = Number(/(\d+) requests in/.exec(text)?.[1]);
  if (Number.isNaN(perSecond + requests) || text.includes("Non-2xx")) throw new Error(`wrk on ${url}:\n${text}`);
  return { requests, perSecond };
}
