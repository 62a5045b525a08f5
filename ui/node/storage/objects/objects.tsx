import { query } from "../../../client/router.ts";
import { Status } from "../../../kit/status.tsx";
import { resource, useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { Browser } from "./browser.tsx";
import { BucketsCard } from "./buckets-card.tsx";
import { ConnectCard } from "./connect-card.tsx";
import { EncryptionCard } from "./encryption-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { isKeptHere } from "./kept.ts";
import { KeysCard } from "./keys-card.tsx";
import { MigrationCard } from "./migration-card.tsx";
import { PlaceCard } from "./place-card.tsx";

/** Buckets, the keys of programs that use them, and how to connect one. */
export function Objects() {
  const bucket = query.value.get("bucket");
  return (
    <div class="page">
      <header class="head">
        <h1>Object storage</h1>
        <span class="t13 c3 no-sm">Buckets for programs that speak S3</span>
        <Listening />
      </header>
      {bucket === null ? (
        <div class="stack">
          <MigrationCard onChanged={() => void refreshAll()} />
          <BucketsCard onChanged={refreshEndpoint} />
          <KeysCard onChanged={refreshEndpoint} />
          <ConnectCard />
          {isAdmin() && <PlaceCard onChanged={() => void refreshAll()} />}
          {isAdmin() && <EncryptionCard />}
          {isAdmin() && <HealthCard />}
        </div>
      ) : (
        <Browser key={bucket} bucket={bucket} />
      )}
    </div>
  );
}

const refreshEndpoint = () => void resource("GET /api/objects/endpoint").refresh();

/** Other buckets and keys may be there now; a store that only speaks S3 has no list of keys. */
async function refreshAll(): Promise<void> {
  const endpoint = resource("GET /api/objects/endpoint");
  await endpoint.refresh();
  void resource("GET /api/objects/buckets").refresh();
  if (isAdmin() && endpoint.data.value?.kept !== "s3") void resource("GET /api/objects/access-keys").refresh();
}

/** Whether programs find the store. */
function Listening() {
  const { data } = useResource("GET /api/objects/endpoint");
  const info = data.value;
  if (info === null) return null;
  const words = {
    listening: ["ok", isKeptHere(info) ? `Listening on port ${info.port}` : `Kept at ${info.host}`],
    idle: ["off", "Listens once there is a key"],
    failed: ["crit", isKeptHere(info) ? "Not listening" : `${info.host} does not answer as it should`],
  } as const;
  const [state, text] = words[info.status];
  return (
    <span class="push t13 c3">
      <Status state={state}>{text}</Status>
    </span>
  );
}
