import type { Needs } from "../needs.ts";

type Deps = Pick<Needs, "settings" | "host" | "listening">;

/** Setting with the address under which people open the dashboard. */
export const PUBLIC_URL_SETTING = "alerting.public_url";

/** Beginning of the ids of tests, which are no events. */
export const TEST_PREFIX = "tst_";

const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "[::]", "::"]);

/** Address of an event on the dashboard; empty before the node listens on a port that the system chooses. */
export function eventLink({ settings, host, listening }: Deps, eventId: string): string {
  const { host: listenHost, port } = listening;
  const name = WILDCARDS.has(listenHost) ? host.hostname() : listenHost;
  const base = settings.get(PUBLIC_URL_SETTING) || (port === 0 ? "" : `http://${name}:${port}`);
  const place = eventId.startsWith(TEST_PREFIX) ? "tab=channels" : `tab=events&event=${encodeURIComponent(eventId)}`;
  return base === "" ? "" : `${base.replace(/\/+$/, "")}/alerts?${place}`;
}

/** What is wrong with the setting's value, or null. */
export function checkPublicUrl(value: string): string | null {
  const isAddress = value === "" || (URL.canParse(value) && /^https?:\/\/[^\s?#]+$/.test(value));
  return isAddress ? null : "must be an address such as https://home.example.org, or empty";
}
