import type { Server } from "node:http";
import { seconds } from "../../../../lib/duration.ts";
import type { AccessTable } from "../access-table.ts";
import type { EndpointInfo } from "../contract.ts";
import { COMPONENT } from "../contract.ts";
import type { Needs } from "../needs.ts";

/** Where S3 clients are answered. */
export interface Listener {
  /** Looks whether it should listen: somebody could use it, and the component is on. */
  refresh(): void;
  /** Resolves when it does what was decided last. */
  settled(): Promise<void>;
  info(): EndpointInfo;
  stop(): Promise<void>;
}

/** Tried again this long after its port was taken by another program. */
const RETRY_MS = seconds(30);
const REGION = "us-east-1";
/** The port where nothing says another. */
const USUAL_PORT = 8430;

/** A listener that opens its port when there is somebody to answer. */
export function createListener(needs: Needs, access: AccessTable): Listener {
  const { config, log, clock, components, objectStore, ownPorts, signal } = needs;
  const { host } = config.s3_listen;
  // A node whose own port the system chooses is one of several on its machine.
  const wanted = config.s3_listen.port ?? (config.listen.port === 0 ? 0 : USUAL_PORT);
  let port = wanted;
  let server: Server | null = null;
  let problem: string | null = null;
  let isStarted = false;
  let work = Promise.resolve();

  function isNeeded(): boolean {
    if (!isStarted || signal.aborted) return false;
    try {
      components.require(COMPONENT);
    } catch {
      return false;
    }
    return access.count() > 0 || objectStore.listBuckets().some(({ visibility }) => visibility === "public");
  }

  async function open(): Promise<void> {
    // Most nodes never need it, and it costs memory.
    const { createS3Server } = await import("./server.ts");
    const made = createS3Server(needs, access);
    try {
      await new Promise<void>((resolve, reject) => {
        made.once("error", reject);
        made.listen(port, host.replace(/^\[|\]$/g, ""), () => resolve());
      });
    } catch (error) {
      problem = `Port ${port} on ${host} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
      log.error("the object store does not listen", { problem });
      clock.after(RETRY_MS, refresh);
      return;
    }
    const address = made.address();
    if (address !== null && typeof address === "object") port = address.port;
    ownPorts.add(port);
    problem = null;
    server = made;
  }

  async function close(): Promise<void> {
    const closing = server;
    server = null;
    if (closing === null) return;
    closing.closeAllConnections();
    await new Promise<void>((resolve) => closing.close(() => resolve()));
  }

  function refresh(): void {
    work = work
      .then(async () => {
        if (isNeeded() && server === null) await open();
        else if (!isNeeded()) await close();
      })
      .catch((error: unknown) => log.error("the object store's port could not be changed", { error }));
  }

  const addressOf = (): string => `http://${host}:${port === 0 ? USUAL_PORT : port}`;

  return {
    refresh() {
      isStarted = true;
      refresh();
    },
    settled: () => work,
    info: () => ({
      url: addressOf(),
      internal: addressOf(),
      web: addressOf(),
      secure: false,
      host,
      port: port === 0 ? USUAL_PORT : port,
      region: REGION,
      path_style: true,
      signature: "v4",
      kept: "embedded",
      status: server !== null ? "listening" : problem !== null && isNeeded() ? "failed" : "idle",
      problem: server === null && isNeeded() ? problem : null,
    }),
    async stop() {
      isStarted = false;
      await work;
      await close();
    },
  };
}
