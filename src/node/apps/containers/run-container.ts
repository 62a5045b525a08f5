import { AppError } from "../../../kernel/http/errors.ts";
import type { Asker, OperationHandle } from "../../platform/operations/index.ts";
import { findImageHere } from "../apps/index.ts";
import { type ContainerSpec, type Engine, EngineError, emptied, type ImageInfo } from "../runtime/index.ts";
import { fail, type RunInput } from "./contract.ts";
import { fetchImage } from "./images/pull-image.ts";
import { makeKeyVolumes, requireMountable } from "./mountable.ts";
import type { Own } from "./needs.ts";

const MIB = 1_048_576;
const STEPS = [
  { step: "pull", title: "Get the image" },
  { step: "make", title: "Make the container" },
  { step: "start", title: "Start it" },
] as const;

/** The engine's words for what somebody asked for. Whatever its image says, the container is no app's and no project's. */
export function writeSpec(input: RunInput, image: string, info: ImageInfo | null): ContainerSpec {
  const ports = (input.ports ?? []).map(({ container, host, protocol = "tcp", reach = "loopback" }) => ({
    key: `${container}/${protocol}`,
    binding: { HostIp: reach === "lan" ? "0.0.0.0" : "127.0.0.1", HostPort: String(host) },
  }));
  const byPort = Map.groupBy(ports, ({ key }) => key);
  return {
    Image: image,
    Labels: emptied(info?.Config?.Labels),
    ...(input.command === undefined || input.command.length === 0 ? {} : { Cmd: input.command }),
    Env: Object.entries(input.environment ?? {}).map(([name, value]) => `${name}=${value}`),
    ExposedPorts: Object.fromEntries([...byPort.keys()].map((key) => [key, {}])),
    HostConfig: {
      PortBindings: Object.fromEntries([...byPort].map(([key, list]) => [key, list.map(({ binding }) => binding)])),
      Mounts: (input.volumes ?? []).map(({ name, path, read_only = false }) => ({
        Type: "volume",
        Source: name,
        Target: path,
        ReadOnly: read_only,
      })),
      RestartPolicy: { Name: input.restart ?? "unless-stopped" },
      ...(input.memory_mb === undefined ? {} : { Memory: input.memory_mb * MIB }),
    },
  };
}

/** Who wants a container, and whether by an API key. */
interface RunBy extends Asker {
  isKey: boolean;
}

/**
 * Begins to run an image as a container of its own. Throws `container_name_taken`, `owned_by_…`, `key_cannot_mount`, `volume_of_keys`,
 * `key_cannot_open_port`, `pulls_busy`, `runtime_unavailable`.
 */
export async function runContainer(own: Own, { isKey, ...by }: RunBy, input: RunInput): Promise<{ op_id: string }> {
  const engine = own.runtime.requireEngine();
  const { name, volumes = [], ports = [] } = input;
  if (isKey && ports.some(({ reach }) => reach === "lan")) throw fail("key_cannot_open_port");
  const names = volumes.map((volume) => volume.name);
  const mayMount = () => requireMountable(own, engine, names, isKey);
  const makeVolumes = async () => {
    if (isKey) await makeKeyVolumes(engine, names);
    await mayMount();
  };
  // Docker also answers to the beginning of an id; a name that looks like one is free all the same.
  if ((await engine.inspectContainer(name))?.Name === `/${name}`) throw fail("container_name_taken", { name });
  await mayMount();
  // What Docker says of a name that is none, its pull says, too.
  const here = await findImageHere(own, engine, input.image).catch(() => null);
  if (here === null) own.apps.pulls.assertRoom(by);
  const op = own.operations.begin({
    kind: "container.run",
    subject_id: name,
    title: `Run ${name}`,
    steps: [...STEPS],
    by,
  });
  void work(own, engine, op, { input, here, makeVolumes });
  return { op_id: op.id };
}

interface Wish {
  input: RunInput;
  /** The name under which its image is. */
  here: string | null;
  /** Throws as `requireMountable` does. */
  makeVolumes(): Promise<void>;
}

/** Ends the operation in any case, unless the program stops first. What could not be started is removed again. */
async function work(own: Own, engine: Engine, op: OperationHandle, { input, here, makeVolumes }: Wish): Promise<void> {
  const { name, image } = input;
  let step: (typeof STEPS)[number]["step"] = "pull";
  let made: string | null = null;
  try {
    const reference = here ?? (await fetchImage(own, engine, op, step, image));
    if (reference === null) return;
    if (typeof reference !== "string") return op.fail(reference);
    op.step(step, "done");
    step = "make";
    op.step(step, "running");
    // Once more: a pull takes hours where a registry wants it to, and volumes are made meanwhile.
    await makeVolumes();
    made = await engine.createContainer(name, writeSpec(input, reference, await engine.findImage(reference)));
    op.step(step, "done");
    step = "start";
    op.step(step, "running");
    await engine.startContainer(made);
    op.step(step, "done");
    const container_id = made;
    own.db.tx(() => {
      op.done();
      if (op.by) own.bus.emit("container.made", { container_id, name, image, user_id: op.by.user_id, ip: op.by.ip });
    });
  } catch (error) {
    if (own.signal.aborted) return;
    const { code } = error instanceof AppError ? error : { code: "container_not_run" };
    const isTold = error instanceof EngineError || error instanceof AppError;
    if (!isTold) own.log.error("running a container failed", { name, error });
    const reason = error instanceof Error ? error.message.trim() : String(error);
    op.step(step, "failed");
    if (made !== null) await engine.deleteContainer(made, true).catch(() => own.log.warn("container stays", { name }));
    op.fail({
      code,
      message: error instanceof AppError ? reason : `Docker did not run ${name}: ${reason}`,
      next_step: "Change what it names, then run it again.",
    });
  }
}
