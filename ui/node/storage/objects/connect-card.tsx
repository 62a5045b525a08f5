import { Banner, Card, Skeleton } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { Snippets } from "./snippets.tsx";

/** How a program finds the store. */
export function ConnectCard() {
  const endpoint = useResource("GET /api/objects/endpoint");
  return (
    <Card title="Connect a program" aside="any that speaks S3 with signature version 4">
      <div class="card-b stack">
        <Loaded of={endpoint} what="Address" skeleton={<Skeleton rows={2} />}>
          {({ url, status, problem, host, kept }) => (
            <>
              {problem !== null && (
                <Banner state="crit">
                  {problem}
                  {kept === "embedded" &&
                    " It is tried again every 30 seconds; end the other program, or set ORRERY_S3_LISTEN."}
                </Banner>
              )}
              {status === "idle" && (
                <p class="c2 t13">The port opens by itself with the first access key or public bucket.</p>
              )}
              <div class="field">
                <p class="label">Endpoint</p>
                <CodeLine text={url} />
                {kept === "embedded" && isLoopback(host) && (
                  <p class="hint">
                    Programs on this server reach it. For others, set ORRERY_S3_LISTEN to an address of your network.
                  </p>
                )}
              </div>
              <Snippets accessKey="ACCESS_KEY" secret="SECRET_KEY" bucket="BUCKET" />
            </>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

const isLoopback = (host: string): boolean => host.startsWith("127.") || host === "localhost" || host === "[::1]";
