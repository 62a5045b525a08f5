import type { RuntimeStatus } from "../../../../src/node/apps/runtime/contract.ts";
import { isRecord } from "../../../client/problem.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";

/** The engine that runs the apps. */
export const runtimeFeature: Feature = {
  reaction: {
    on: {
      "runtime.changed": (data) => {
        const runtime = isRecord(data) ? data["runtime"] : null;
        if (isRuntime(runtime)) resource("GET /api/system/runtime").set(() => runtime);
      },
    },
  },
};

function isRuntime(value: unknown): value is RuntimeStatus {
  return isRecord(value) && typeof value["state"] === "string";
}
