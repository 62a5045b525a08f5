import type { AlertRule, RuleTargets } from "../../../../src/node/monitoring/alerting/contract.ts";
import { useResource } from "../../client/resource.ts";

/** What rules can be about, with the words for it. */
export function useTargets(): {
  targets: RuleTargets | null;
  labelOf: (rule: Pick<AlertRule, "type" | "metric" | "entity">) => string;
  nameOf: (entity: string) => string;
} {
  const targets = useResource("GET /api/alerting/rules/targets").data.value;
  return {
    targets,
    labelOf: ({ type, metric, entity }) => {
      const list = (type === "state" ? targets?.states : targets?.metrics) ?? [];
      const [kind] = entity.split(":");
      return list.find((one) => one.name === metric && one.kind === kind)?.label ?? metric;
    },
    nameOf: (entity) =>
      targets?.entities.find((one) => one.entity === entity)?.name ?? entity.slice(entity.indexOf(":") + 1),
  };
}
