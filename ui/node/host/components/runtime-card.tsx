import type { ComponentList } from "../../../../src/node/host/components/contract.ts";
import { Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { originOf } from "./words.ts";

const NAMES = { docker: "Docker", podman: "Podman" };

/** What containers run in, and how it came here. */
export function RuntimeCard({ runtime }: { runtime: ComponentList["container_runtime"] }) {
  const { flavor, version, too_old } = runtime;
  const state = flavor === null ? "off" : too_old ? "warn" : "ok";
  const words = flavor === null ? "None found" : too_old ? "Found, too old" : "Found";
  return (
    <Card title="Container runtime" aside="what apps run in">
      <dl class="dl plandl">
        <dt>State</dt>
        <dd>
          <Glyph state={state} />
          {words}
        </dd>
        <dt>Engine</dt>
        <dd>{flavor === null ? "none" : NAMES[flavor]}</dd>
        {version !== null && (
          <>
            <dt>Version</dt>
            <dd>{version}</dd>
          </>
        )}
        <dt>From</dt>
        <dd>{originOf(runtime)}</dd>
        {too_old && (
          <>
            <dt>Next step</dt>
            <dd>Upgrade it on the server, for example with apt-get upgrade</dd>
          </>
        )}
      </dl>
    </Card>
  );
}
