import { describe, expect, test } from "bun:test";
import { judge } from "./judge.ts";
import { type Outcome, parseSmart } from "./parse-smart.ts";

const text = (name: string): Promise<string> => Bun.file(new URL(`../fixtures/${name}.json`, import.meta.url)).text();
const load = async (name: string) => JSON.parse(await text(name));
const SHAPES = ["ata-hdd", "ata-ssd", "nvme", "scsi"];

/** The reading of a record, changed first. */
function read(record: unknown, code = 0) {
  const outcome = parseSmart(code, JSON.stringify(record));
  if (outcome.kind !== "reading") throw new Error(`no reading: ${JSON.stringify(outcome)}`);
  return outcome.reading;
}
const statusOf = (record: unknown, code = 0) => judge(read(record, code)).status;
const attribute = (record: { ata_smart_attributes: { table: { id: number }[] } }, id: number) =>
  record.ata_smart_attributes.table.find((entry) => entry.id === id);
function setRaw(record: Parameters<typeof attribute>[0], id: number, value: number): void {
  Object.assign(attribute(record, id) ?? {}, { raw: { value, string: String(value) } });
}

describe("real shapes", () => {
  test("a hard disk: Seagate's packed numbers are no errors", async () => {
    const reading = read(await load("ata-hdd"));
    expect(reading).toMatchObject({
      model: "ST4000VN008-2DR166",
      serial: "ZGY0AAAA",
      rotational: true,
      failing: false,
      temperature_c: 36,
      power_on_hours: 31849,
      reallocated_sectors: 0,
      pending_sectors: 0,
      media_errors: null,
      percentage_used: null,
      notes: [],
    });
    expect(reading.attributes["Command_Timeout"]).toBe("14 14 15");
    expect(judge(reading)).toMatchObject({ status: "Healthy", healthy: true, next_step: null });
  });

  test("a flash disk counts its life down; a packed raw value counts by what smartctl prints", async () => {
    const reading = read(await load("ata-ssd"));
    expect(reading).toMatchObject({ rotational: false, reallocated_sectors: 0, percentage_used: 92 });
    expect(judge(reading).status).toBe("Worn 92%");
    expect(reading.attributes).toMatchObject({ Unknown_Attribute: "1", "Unknown_Attribute (172)": "2" });
  });

  test("newer smartctl and the device statistics say the wear themselves", async () => {
    const record = await load("ata-ssd");
    expect(read({ ...record, endurance_used: { current_percent: 12 } }).percentage_used).toBe(12);
    const table = [{ name: "Percentage Used Endurance Indicator", value: 15 }];
    expect(read({ ...record, ata_device_statistics: { pages: [{ number: 7, table }] } }).percentage_used).toBe(15);
    expect(read({ ...record, rotation_rate: 7200 }).percentage_used).toBeNull();
  });

  test("NVMe", async () => {
    const reading = read(await load("nvme"));
    expect(reading).toMatchObject({ temperature_c: 41, power_on_hours: 9120, media_errors: 0, percentage_used: 3 });
    expect(reading.attributes).toMatchObject({ available_spare: "100", temperature_sensors: "41, 48" });
    expect(judge(reading).status).toBe("Healthy");
  });

  test("SCSI", async () => {
    const reading = read(await load("scsi"));
    expect(reading).toMatchObject({ model: "HGST HUS726T4TAL5204", reallocated_sectors: 0, media_errors: 0 });
    expect(reading.attributes).toMatchObject({ Grown_Defect_List: "0", Corrected_read_errors: "12" });
  });

  test("a stick without a record, a sleeping disk, an old and a broken smartctl", async () => {
    expect(parseSmart(0, await text("usb-stick"))).toEqual({ kind: "unsupported" });
    expect(parseSmart(3, await text("asleep"))).toEqual({ kind: "asleep" });
    expect(parseSmart(1, "smartctl 6.6 2017-11-05 r4594\n=======> UNRECOGNIZED OPTION: json=c\n").kind).toBe("too_old");
    expect(parseSmart(0, "").kind).toBe("failed");
    expect(parseSmart(0, "[1]").kind).toBe("failed");
    const messages = [{ string: "Smartctl open device: /dev/sda failed: Permission denied", severity: "error" }];
    expect(parseSmart(2, JSON.stringify({ smartctl: { messages } }))).toEqual({
      kind: "failed",
      reason: messages[0]?.string ?? "",
    });
  });
});

describe("all 256 exit codes", () => {
  /** The same rule written down a second time, from the manual page. */
  function expected(code: number): Outcome["kind"] {
    if (code === 3) return "asleep";
    if (code === 5) return "power_unknown";
    return code % 4 === 0 ? "reading" : "failed";
  }

  test.each(SHAPES)("%s", async (shape) => {
    const record = await text(shape);
    const calm = judge(read(JSON.parse(record))).status;
    for (let code = 0; code < 256; code++) {
      const outcome = parseSmart(code, record);
      expect([code, outcome.kind]).toEqual([code, expected(code)]);
      if (outcome.kind !== "reading") continue;
      const bits = code.toString(2).padStart(8, "0");
      expect([code, judge(outcome.reading).status]).toEqual([code, bits[4] === "1" ? "Failing" : calm]);
      const told = outcome.reading.notes.length;
      expect([code, told]).toEqual([code, [0, 1, 2, 3, 5].filter((index) => bits[index] === "1").length]);
    }
  });

  test("a record without any health is never a reading unless the disk calls itself failing", async () => {
    const record = await text("usb-stick");
    for (let code = 0; code < 256; code++) {
      const { kind } = parseSmart(code, record);
      const none = (code & 8) !== 0 ? "reading" : "unsupported";
      expect([code, kind]).toEqual([code, expected(code) === "reading" ? none : expected(code)]);
    }
  });
});

describe("status texts", () => {
  test("the disk's own verdict comes first", async () => {
    const record = await load("ata-hdd");
    setRaw(record, 5, 9);
    expect(statusOf(record)).toBe("9 reallocated");
    expect(statusOf({ ...record, smart_status: { passed: false } })).toBe("Failing");
  });

  test("sectors", async () => {
    const record = await load("ata-hdd");
    setRaw(record, 198, 3);
    expect(statusOf(record)).toBe("3 pending");
    setRaw(record, 197, 8);
    expect(statusOf(record)).toBe("8 pending");
  });

  test("media errors, wear and warnings of NVMe", async () => {
    const record = await load("nvme");
    const log = record.nvme_smart_health_information_log;
    log.percentage_used = 89;
    expect(statusOf(record)).toBe("Healthy");
    log.percentage_used = 104;
    expect(statusOf(record)).toBe("Worn 104%");
    log.media_errors = 2;
    expect(statusOf(record)).toBe("2 media errors");
    log.critical_warning = 0b1001;
    expect(statusOf(record)).toBe("Failing");
    expect(read(record).notes).toEqual(["Its spare blocks are nearly used up.", "It has switched to read only."]);
  });

  test("no attribute of a Seagate disk but the judged ones can raise an alarm", async () => {
    for (const id of [1, 7, 9, 187, 188, 194, 240]) {
      const record = await load("ata-hdd");
      setRaw(record, id, 2 ** 48 - 1);
      expect([id, statusOf(record)]).toEqual([id, "Healthy"]);
    }
  });

  test("what has a verdict that is not well says what to do", async () => {
    for (const change of [{ failing: true }, { reallocated_sectors: 1 }, { pending_sectors: 1 }, { media_errors: 1 }]) {
      const { healthy, next_step } = judge({ ...read(await load("nvme")), ...change });
      expect([healthy, typeof next_step]).toEqual([false, "string"]);
    }
  });
});

test("nonsense in the record is no value", async () => {
  const record = await load("ata-hdd");
  expect(read({ ...record, temperature: { current: 0 }, power_on_time: "x" })).toMatchObject({
    temperature_c: null,
    power_on_hours: null,
  });
});
