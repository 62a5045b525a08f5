import type { ComponentChildren } from "preact";
import type { PlanOverview } from "../../../../src/node/platform/plans/contract.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Chip } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";

/** What somebody reads whose plan lacks a part. */
interface Offer {
  title: string;
  /** What it would show, one line each. */
  gives: string[];
  /** What there is without it. */
  instead: { text: string; href: string; label: string };
}

interface PlannedProps {
  /** The licensed feature, as the plans call it. */
  feature: string;
  offer: Offer;
  skeleton: ComponentChildren;
  /** What is shown on plans without the feature goes into this. */
  frame?: (offer: ComponentChildren) => ComponentChildren;
  children: ComponentChildren;
}

/** A part that some plans have: the node is asked for it only where it would answer, elsewhere stands what it would give. */
export function Planned({ feature, offer, skeleton, frame = (inside) => inside, children }: PlannedProps) {
  const plans = useResource("GET /api/plans");
  return (
    <Loaded of={plans} what="Plan" skeleton={skeleton}>
      {(data) => {
        const required = data.plans.find((plan) => hasFeature(plan, feature))?.plan ?? null;
        const current = data.plans.find(({ plan }) => plan === data.current);
        if (required === null || current === undefined || hasFeature(current, feature)) return children;
        return frame(<Gated required={required} current={data.current} {...offer} />);
      }}
    </Loaded>
  );
}

const hasFeature = ({ features }: PlanOverview["plans"][number], wanted: string): boolean =>
  features.some(({ feature }) => feature === wanted);

/** A part that another plan has: what it would give, what this plan has instead, and how a plan is changed. */
function Gated({ required, current, title, gives, instead }: Offer & { required: string; current: string }) {
  return (
    <div class="gated">
      <p class="row">
        <Chip state="acc">From the {required} plan</Chip>
      </p>
      <p class="w6">{title}</p>
      <ul>
        {gives.map((line) => (
          <li key={line} class="row">
            <Icon name="check" />
            <span>{line}</span>
          </li>
        ))}
      </ul>
      <p class="t13 c3">
        This server is on the {current} plan.{" "}
        <a class="link" href="/settings/plan">
          What the plans include
        </a>
      </p>
      <p class="row wrap">
        <span class="t13">{instead.text}</span>
        <LinkButton size="sm" href={instead.href}>
          {instead.label}
        </LinkButton>
      </p>
    </div>
  );
}
