/** Words that the meanings of many events share. */
import type { AuditLine, LiveLine, NameOf, TimelineLine } from "./event-meaning.ts";

/** Audit line of an event whose address is `ip` and whose other fields are all worth keeping. */
export function onRecord<Data extends { ip: string }>(resource: (data: Data) => string): (data: Data) => AuditLine {
  return (data) => {
    const { ip, ...details } = data;
    return { resource: resource(data), details, ip_address: ip };
  };
}

/** Audit line of what happened to an account, or was done with it. */
export const onUser = onRecord<{ user_id: string; ip: string }>(({ user_id }) => `user:${user_id}`);

/** Audit line of what happened to a session. */
export const onSession = onRecord<{ session_id: string; ip: string }>(({ session_id }) => `session:${session_id}`);

/** Timeline line of something that happened to an account; admins and its owner see it. */
export function ofUser<Data extends { user_id: string }>(
  title: (name: string, data: Data) => string,
  rest: Partial<TimelineLine> = {},
): (data: Data, nameOf: NameOf) => TimelineLine {
  return (data, nameOf) => ({
    category: "auth",
    severity: "info",
    title: title(nameOf(data.user_id), data),
    subject: ["user", data.user_id],
    link: "/security",
    audience: { user_id: data.user_id },
    ...rest,
  });
}

/** What makes a line about an account one that its owner should look at. */
export const SUSPICIOUS = { severity: "warning", isInbox: true } as const;

/** Timeline line of something that an admin did to what watches and reports. */
export function byAdmin<Data extends { user_id: string; name: string }>(
  verb: string,
  what: string,
  link: string,
): (data: Data, nameOf: NameOf) => TimelineLine {
  return ({ user_id, name }, nameOf) => ({
    category: "alert",
    severity: "info",
    title: `${nameOf(user_id)} ${verb} the ${what} ${name}`,
    link,
  });
}

/** Timeline line, in the inbox too, of something that delivers and is paused, because its maker may not have `things` any more. */
export const pausedLine = (
  title: string,
  things: string,
  rest: Pick<TimelineLine, "category" | "subject" | "link">,
): TimelineLine => ({
  severity: "warning",
  title: `${title} is paused: its maker may not have ${things} any more`,
  isInbox: true,
  ...rest,
});

/** In the live stream for everybody, under its own name. */
export const liveForAll = (): LiveLine => ({ audience: "everybody" });

/** In the live stream for admins, under its own name: it tells of what only they may read. */
export const liveForAdmins = (): LiveLine => ({ audience: "admins" });

/** In the live stream for the user it is about alone. */
export const liveForUser = ({ user_id }: { user_id: string }): LiveLine => ({ audience: { user_id } });
