import type { RuntimeStatus } from "../../../../src/node/apps/runtime/contract.ts";
import { bytesText, duration } from "../../../client/format.ts";
import type { Resource } from "../../../client/resource.ts";
import { Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { lockInfo } from "../../client/session.ts";

/** What this machine is. */
export function ServerCard({ runtime }: { runtime: Resource<RuntimeStatus> }) {
  const overview = useResource("GET /api/system/overview", { everyMs: 60_000 });
  const docker = runtime.data.value;
  return (
    <Card title="This server">
      <div class="card-b">
        <Loaded of={overview} what="Server facts">
          {(facts) => (
            <dl class="dl">
              <dt>Name</dt>
              <dd>{lockInfo.value?.hostname ?? facts.hostname}</dd>
              <dt>System</dt>
              <dd data-tip={facts.kernel}>{facts.os}</dd>
              <dt>Processor</dt>
              <dd data-tip={facts.cpu_model}>{facts.cpu_model === "" ? facts.arch : facts.cpu_model}</dd>
              <dt>Threads</dt>
              <dd>{facts.cpu_threads}</dd>
              <dt>Memory</dt>
              <dd>{bytesText(facts.ram_total_bytes, "memory")}</dd>
              <dt>Up</dt>
              <dd>{duration(facts.uptime_seconds)}</dd>
              {docker !== null && (
                <>
                  <dt>Docker</dt>
                  <dd>
                    <Glyph state={docker.state === "ok" ? "ok" : "crit"} />{" "}
                    {docker.state === "ok" ? docker.version : docker.message}
                  </dd>
                </>
              )}
              <dt>Orrery</dt>
              <dd>{facts.version}</dd>
            </dl>
          )}
        </Loaded>
      </div>
    </Card>
  );
}
