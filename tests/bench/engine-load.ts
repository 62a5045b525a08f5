import { type AppsNode, startAppsNode } from "../kit/apps.ts";
import { testEnv } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import type { Measure } from "./bench.ts";
import { meterCpu } from "./process-facts.ts";
import { type Figure, median } from "./table.ts";

const ENGINE_MB = 600;
const ROUNDS = 9;
const MINUTE_MS = 60_000;
const SETTLE_MS = 10_000;
const TEMPLATE = "test-web";

/** Milliseconds until the containers of an app run whose image is there. After that it is watched for as long as its manifest says. */
async function install(node: AppsNode): Promise<number> {
  const begun = performance.now();
  const { op_id } = await node.install(TEMPLATE, node.freshName("load"));
  const events = await node.follow(op_id);
  const whole = performance.now() - begun;
  const end = events.at(-1);
  if (end?.event !== "done") throw new Error(`${TEMPLATE} was not installed: ${JSON.stringify(end?.data)}`);
  const watched = events.filter(({ data }) => data.step === "health").map(({ data }) => Date.parse(data.time));
  return whole - (Math.max(...watched) - Math.min(...watched));
}

/** Milliseconds that Docker alone takes for the same: a network, a volume, a container on both, and its start. */
async function ask(engine: OwnEngine, number: number): Promise<number> {
  const post = async (path: string, body: object = {}) => {
    const reply = await fetch(`http://engine${path}`, {
      unix: engine.socket,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${text}`);
  };
  const name = `bare-${number}`;
  const begun = performance.now();
  await post("/networks/create", { Name: name, Driver: "bridge" });
  await post("/volumes/create", { Name: name });
  await post(`/containers/create?name=${name}`, {
    Image: testEnv().images.web,
    Env: ["GREETING=hello"],
    HostConfig: {
      Binds: [`${name}:/data`],
      NetworkMode: name,
      PortBindings: { "8080/tcp": [{ HostIp: "127.0.0.1" }] },
    },
    ExposedPorts: { "8080/tcp": {} },
  });
  await post(`/containers/${name}/start`);
  return performance.now() - begun;
}

/** Milliseconds of processor time that the engine takes in a minute in which nobody asks anything. */
async function minuteOf(engine: OwnEngine): Promise<number> {
  await Bun.sleep(SETTLE_MS);
  const meter = meterCpu(engine.pid());
  await Bun.sleep(MINUTE_MS);
  const spent = meter.read();
  meter.stop();
  return spent;
}

/** What a node adds to an install, and what it gives Docker to do while its apps just run. */
export const engineLoad: Measure = {
  name: "engine",
  async run({ say }) {
    const engine = await startOwnEngine(ENGINE_MB);
    const node = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket });
    const figures: Figure[] = [];
    try {
      say(`  the image is pulled: ${Math.round(await install(node))} ms`);
      const [mine, bare]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        bare.push(await ask(engine, round));
        mine.push(await install(node));
      }
      figures.push({
        measure: "install of an app whose image is there, our part",
        value: median(mine) - median(bare),
        unit: "ms",
        limit: { kind: "most", value: 300 },
        baseline: median(bare),
        note: `${median(mine).toFixed(0)} ms until it runs, less those in which Docker alone has started the same; medians of ${ROUNDS}`,
      });
      const watched = await minuteOf(engine);
      await node.node.kill();
      const alone = await minuteOf(engine);
      figures.push({
        measure: "processor of Docker while a node watches",
        value: ((watched - alone) / MINUTE_MS) * 100,
        unit: "% of a core more",
        limit: { kind: "most", value: 0.1 },
        baseline: (alone / MINUTE_MS) * 100,
        note: `${watched.toFixed(0)} ms in 60 s with ${2 * ROUNDS + 1} containers, ${alone.toFixed(0)} without a node`,
      });
    } finally {
      await node.node.dispose();
      await engine.dispose();
    }
    return figures;
  },
};
