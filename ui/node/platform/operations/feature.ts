import type { Operation } from "../../../../src/node/platform/operations/contract.ts";
import { isRecord } from "../../../client/problem.ts";
import { play } from "../../../client/sounds.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { OperationsTray } from "./operations-tray.tsx";

/** Running work, in the top bar of every page. */
export const operationsFeature: Feature = {
  tool: { order: 10, view: OperationsTray },
  reaction: {
    onOpen: () => void resource("GET /api/operations").refresh(),
    on: {
      "operation.changed": (data) => {
        if (isOperation(data)) applyOperation(data);
      },
    },
  },
};

function applyOperation(operation: Operation): void {
  resource("GET /api/operations").set((list) => {
    const others = list?.filter((item) => item.id !== operation.id) ?? [];
    return [operation, ...others];
  });
  if (operation.status !== "running") play(operation.status === "failed" ? "bad" : "done");
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["status"] === "string";
}
