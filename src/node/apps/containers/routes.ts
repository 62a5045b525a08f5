import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import type { Actor } from "../../actor.ts";
import { type Asker, lastingAsker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { changeContainer, removeContainer } from "./change-container.ts";
import { containerRoutes } from "./contract.ts";
import { beginImageCheck } from "./image-checks/check-now.ts";
import { listImages } from "./images/list-images.ts";
import { cancelPull, pullImage } from "./images/pull-image.ts";
import { pruneImages, removeImage } from "./images/remove-image.ts";
import { describeContainer, listContainers, requireContainer } from "./list-containers.ts";
import type { Own } from "./needs.ts";
import { listNetworks, removeNetwork } from "./networks.ts";
import { followLog, readLog } from "./read-log.ts";
import { runContainer } from "./run-container.ts";
import { listVolumes, removeVolume } from "./volumes.ts";

const DEFAULT_LINES = 200;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

interface From {
  actor: Actor;
  ip: string;
  request: Request;
  server: { timeout(request: Request, seconds: number): void } | null;
}

const askerOf = ({ actor, ip }: Pick<From, "actor" | "ip">): Asker => ({ user_id: actor.user_id, ip });

/** Who asks, and may have to wait: a container has as long to stop as it was given. */
function patient({ request, server, ...from }: From): Asker {
  server?.timeout(request, 0);
  return askerOf(from);
}

/** What answers the routes of containers. */
export const bindContainerRoutes = (own: Own): BoundRoutes =>
  bindRoutes(containerRoutes, {
    "GET /api/containers": () => listContainers(own),
    "GET /api/containers/stats": () => own.meters.read(),
    "POST /api/containers": ({ body, ...from }) =>
      runContainer(own, { ...lastingAsker(from), isKey: from.actor.key !== null }, body),
    "GET /api/containers/images": () => listImages(own),
    "POST /api/containers/images/pull": ({ body, ...from }) => pullImage(own, lastingAsker(from), body.image),
    "POST /api/containers/images/pull/cancel": async ({ body, ...from }) => {
      await cancelPull(own, askerOf(from), body.image);
      return { message: `The pull of ${body.image} ends.` };
    },
    "POST /api/containers/images/check": (from) => beginImageCheck(own, askerOf(from)),
    "POST /api/containers/images/prune": (from) => pruneImages(own, patient(from)),
    "DELETE /api/containers/images/{id}": async ({ params, ...from }) => ({
      message: `The image ${await removeImage(own, patient(from), params.id)} is removed.`,
    }),
    "GET /api/containers/volumes": () => listVolumes(own),
    async "DELETE /api/containers/volumes/{id}"({ params, ...from }) {
      await removeVolume(own, patient(from), params.id);
      return { message: `The volume ${params.id} is removed.` };
    },
    "GET /api/containers/networks": () => listNetworks(own),
    "DELETE /api/containers/networks/{id}": async ({ params, ...from }) => ({
      message: `The network ${await removeNetwork(own, askerOf(from), params.id)} is removed.`,
    }),
    "GET /api/containers/{id}": ({ params }) => describeContainer(own, params.id),
    async "GET /api/containers/{id}/logs"({ params, query, request, server }) {
      const { lines = DEFAULT_LINES, follow = false } = query;
      if (!follow) return readLog(own, params.id, lines);
      const { Id } = await requireContainer(own, params.id);
      const lastId = request.headers.get("last-event-id") ?? "";
      const options = { count: lines, after: TIME.test(lastId) ? lastId : null };
      return sse(own, { request, server }, (signal) => followLog(own, Id, options, signal));
    },
    "POST /api/containers/{id}/start": ({ params, ...from }) => changeContainer(own, patient(from), params.id, "start"),
    "POST /api/containers/{id}/stop": ({ params, ...from }) => changeContainer(own, patient(from), params.id, "stop"),
    "POST /api/containers/{id}/restart": ({ params, ...from }) =>
      changeContainer(own, patient(from), params.id, "restart"),
    "DELETE /api/containers/{id}": async ({ params, query, ...from }) => ({
      message: `${await removeContainer(own, patient(from), params.id, query.force ?? false)} is removed.`,
    }),
  });
