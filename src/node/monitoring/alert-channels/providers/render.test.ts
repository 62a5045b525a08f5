import { expect, test } from "bun:test";
import fc from "fast-check";
import { makeNotice } from "../../../../../tests/kit/notices.ts";
import { CHANNEL_TYPES, type ChannelType } from "../contract.ts";
import { type Entry, type Message, PROVIDERS } from "./index.ts";
import { parseRetryAfter } from "./post.ts";

const entry = (changes: Partial<Entry> = {}): Entry => ({
  kind: "fired",
  kinds: ["fired"],
  notice: makeNotice(),
  subject: "Critical: Disk almost full on /",
  body: "The disk at / is filling up.",
  note: "",
  ...changes,
});
const message = (entries: Entry[], isPlain = false): Message => ({
  key: "msg_1",
  server: "vega",
  sent_at: "2026-01-01T00:00:00.000Z",
  entries,
  isPlain,
});
const render = (type: ChannelType, entries: Entry[], isPlain = false) =>
  PROVIDERS[type].open(PROVIDERS[type].example, null).render(message(entries, isPlain));

interface Shape {
  text?: string;
  content?: string;
  parse_mode?: string;
  embeds?: { title: string; description: string; color: number }[];
}

/** True when a payload keeps to its provider's published limits. */
function fits(type: ChannelType, payload: string, subject: string): boolean {
  if (type === "email") return subject.length <= 200;
  const { text = "", content = "", embeds = [] }: Shape = JSON.parse(payload);
  if (type === "telegram") return text.length <= 4_096 && text.length > 0;
  if (type === "slack") return text.length <= 4_000 && text.length > 0;
  if (type === "webhook") return text.length <= 4_000;
  const sizes = embeds.map(({ title, description }) => [title.length, description.length] as const);
  const total = sizes.reduce((sum, [title, description]) => sum + title + description, 0);
  const each = sizes.every(([title, description]) => title <= 256 && description <= 4_096);
  return content.length <= 2_000 && embeds.length <= 10 && total <= 6_000 && each && content.length + total > 0;
}

const nasty = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom("<b>", "&amp;", "*_~`|>", "@everyone", "</code>", "https://a.example/x_y_z", "💥", "\\"),
);
const words = fc.array(nasty, { minLength: 1, maxLength: 200 }).map((parts) => parts.join(" "));
const entries = fc.array(
  fc.record({
    kind: fc.constantFrom("fired" as const, "resolved" as const, "reminder" as const),
    kinds: fc.constant([]),
    notice: fc.constant(makeNotice()),
    subject: words.map((text) => text.replace(/\s+/g, " ").trim() || "x"),
    body: words,
    note: fc.constantFrom("", "Delayed 14 min."),
  }),
  { minLength: 1, maxLength: 40 },
);

test("whatever is in it, a message keeps to its provider's limits and to well-formed text", () => {
  fc.assert(
    fc.property(entries, fc.boolean(), fc.constantFrom(...CHANNEL_TYPES), (list, isPlain, type) => {
      const { payload, subject } = render(type, list, isPlain);
      expect([type, fits(type, payload, subject)]).toEqual([type, true]);
      expect(payload.isWellFormed()).toBe(true);
      if (type !== "telegram" || isPlain) return;
      const { text = "" }: Shape = JSON.parse(payload);
      // What is left without our own two tags holds no tag and no half escape.
      const rest = text.replace(/<\/?[bi]>/g, "");
      expect(rest).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/);
      expect((text.match(/<b>/g) ?? []).length).toBe((text.match(/<\/b>/g) ?? []).length);
    }),
    { numRuns: 250 },
  );
});

test("names cannot smuggle in markup, links or calls to everybody", () => {
  const sly = entry({ subject: "<b>*x*</b>", body: "@everyone [a](https://evil.example) <!channel> _i_ `c`" });
  const telegram: Shape = JSON.parse(render("telegram", [sly]).payload);
  expect(telegram.text).toStartWith("<b>&lt;b&gt;*x*&lt;/b&gt;</b>\n");
  const slack: Shape = JSON.parse(render("slack", [sly]).payload);
  expect(slack.text).toContain("&lt;!channel&gt;");
  const discord: Shape & { allowed_mentions: unknown } = JSON.parse(render("discord", [sly]).payload);
  expect(discord.allowed_mentions).toEqual({ parse: [] });
  expect(discord.embeds?.[0]?.description).toContain("\\[a\\](https://evil.example)");
  expect(render("email", [sly]).html).toContain("&lt;b&gt;*x*&lt;/b&gt;");
  const header = render("email", [entry({ subject: "a" })]);
  expect(header.subject).not.toMatch(/[\r\n]/);
});

test("many alerts at once become one message: whole, then as lines, then counted", () => {
  const many = (count: number, size: number) =>
    Array.from({ length: count }, (_, i) => entry({ subject: `Alert ${i}`, body: "x".repeat(size) }));
  const text = (count: number, size: number) =>
    (JSON.parse(render("telegram", many(count, size)).payload) as Shape).text ?? "";
  expect(text(35, 20)).toContain("x".repeat(20));
  expect(text(35, 20)).toStartWith("35 alerts on vega: 35 firing");
  expect(text(35, 500)).toContain("• Alert 34");
  expect(text(35, 500)).not.toContain("xx");
  const counted = (JSON.parse(render("discord", many(400, 50)).payload) as Shape).content ?? "";
  const shown = counted.match(/• Alert/g)?.length ?? 0;
  expect(counted).toEndWith(`… and ${400 - shown} more`);
});

test("plain means no formatting at all", () => {
  const telegram: Shape = JSON.parse(render("telegram", [entry({ body: "a < b" })], true).payload);
  expect(telegram).not.toHaveProperty("parse_mode");
  expect(telegram.text).toBe("Critical: Disk almost full on /\na < b");
  expect(JSON.parse(render("discord", [entry()], true).payload)).not.toHaveProperty("embeds");
  expect(render("email", [entry()], true)).not.toHaveProperty("html");
});

test.each([
  ["5", 5_000],
  ["0.3", 300],
  [" 120 ", 120_000],
  ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["soon", null],
  ["", null],
  [undefined, null],
])("Retry-After %j is %p ms", (header, ms) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(ms);
});
