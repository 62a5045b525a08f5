import { TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError, kernelFail } from "../../../../kernel/http/errors.ts";
import { assertNoWait } from "../../../../kernel/http/too-many-requests.ts";
import type { ServeStream } from "../../../../shared/agent-client/index.ts";
import { LOG_SERVICE, type LogStreamBatch, LogStreamParams } from "../../../../shared/agent-protocol/index.ts";
import type { LogLine, TailQuery } from "../../../monitoring/logs/index.ts";
import type { Own } from "../needs.ts";

type Deps = Pick<Own, "apps" | "logs" | "clock" | "log" | "asks">;

const params = TypeCompiler.Compile(LogStreamParams);
/** A program may call itself whatever it likes. */
const SOURCE_LENGTH = 255;
const HAS_KIND = /\.(service|socket|target|timer|mount|automount|swap|path|slice|scope|device)$/;

const unitName = (unit: string): string => (HAS_KIND.test(unit) ? unit : `${unit}.service`);

/** Reads logs of this node to its panel until either of them ends it. Throws what reading a log throws, in the words of its routes. */
export function serveLogs(deps: Deps): ServeStream {
  return async ({ params: asked, signal, send }) => {
    try {
      // Fields that it does not know are passed over: the panel may be newer.
      if (!params.Check(asked)) throw kernelFail("invalid_request", { field: "log stream", reason: "is not one" });
      assertNoWait(deps.asks.opens.take(LOG_SERVICE));
      const { query, nameOf } = await toQuery(deps, asked);
      for await (const batch of deps.logs.tail(query, signal)) await send(present(batch, nameOf));
    } catch (error) {
      if (!(error instanceof AppError)) deps.log.error("logs could not be read to the panel", { error });
      throw error;
    }
  };
}

interface Asked {
  query: TailQuery;
  /** What a line's source is called. */
  nameOf(line: LogLine): string | null;
}

async function toQuery(deps: Deps, asked: LogStreamParams): Promise<Asked> {
  const since = asked.within_ms === null ? asked.since : new Date(deps.clock.now() - asked.within_ms).toISOString();
  const wanted = { lines: asked.lines, level: asked.level, pattern: asked.grep, since, isFollowed: asked.follow };
  if (asked.source === "journal") {
    const query = { ...wanted, sources: ["system"], units: asked.units.map(unitName) };
    return { query, nameOf: ({ source }) => source };
  }
  const services = await servicesOf(deps, asked.app ?? "");
  const query = { ...wanted, sources: [...services.keys()], units: [] };
  return { query, nameOf: ({ from }) => services.get(from) ?? null };
}

/** The services of an app by the log that each writes. Throws `app_not_found`. */
async function servicesOf({ apps, logs }: Deps, app: string): Promise<ReadonlyMap<string, string>> {
  const { id } = apps.get(apps.names().find(({ name }) => name === app)?.id ?? app);
  const names = await logs.containerNames();
  return new Map(
    apps.listServices(id).flatMap(({ name, container_id }) => {
      const container = container_id === null ? undefined : names.get(container_id);
      return container === undefined ? [] : [[`docker:${container}`, name] as const];
    }),
  );
}

const present = (batch: readonly LogLine[], nameOf: Asked["nameOf"]): LogStreamBatch => ({
  lines: batch.map((line) => ({
    ts: line.at,
    level: line.level,
    source: nameOf(line)?.slice(0, SOURCE_LENGTH) ?? null,
    message: line.text,
  })),
});
