import { Button } from "../../kit/button.tsx";
import { Banner, Card, EmptyState, ErrorCard, LockedPart, Skeleton } from "../../kit/card.tsx";
import { Tile } from "../../kit/icon.tsx";
import { Meter, Progress, Ring, Stat, Steps } from "../../kit/progress.tsx";
import { Avatar, Badge, Chip, Kbd, type State, Status } from "../../kit/status.tsx";
import { toast } from "../../kit/toasts.ts";

const states: [State, string][] = [
  ["ok", "Running"],
  ["warn", "Degraded"],
  ["crit", "Failed"],
  ["info", "Update ready"],
  ["busy", "Updating…"],
  ["off", "Stopped"],
  ["unknown", "Unknown"],
];

/** Status, progress, banners and the four states of a card. */
export function Feedback() {
  return (
    <>
      <Card title="Status" w={6}>
        <div class="card-b stack">
          <div class="two">
            {states.map(([state, word]) => (
              <Status key={state} state={state}>
                {word}
              </Status>
            ))}
          </div>
          <div class="btns">
            {states.map(([state, word]) => (
              <Chip key={state} state={state}>
                {word}
              </Chip>
            ))}
            <Chip>Plain</Chip>
          </div>
          <div class="btns">
            <Badge>12</Badge>
            <Badge tone="crit">2</Badge>
            <Kbd>K</Kbd>
            <Avatar name="mara lind" />
            <Tile icon="image" hue="media" />
            <Tile icon="cloud" hue="files" size="sm" />
            <Tile icon="key" hue="security" size="lg" />
          </div>
          <Banner state="warn" action={<Button size="sm">Try now</Button>}>
            Reconnecting to atlas. Last answer 09:38, next try in 4 s.
          </Banner>
          <Banner state="crit">Disk tank is full. Apps may stop.</Banner>
          <Banner state="info">A new version of this page is ready.</Banner>
        </div>
      </Card>
      <Card title="Progress" w={6}>
        <div class="card-b stack">
          <div class="btns">
            <Ring value={62} />
            <Ring value={null} />
            <Stat value="18.4" unit="of 32 GB" />
          </div>
          <Progress value={62} label="Uploading" />
          <Progress value={null} label="Waiting" />
          <Meter value={40} label="Used" />
          <Meter value={92} label="Nearly full" tone="warn" />
          <Meter value={98} label="Full" tone="crit" />
          <Steps
            steps={[
              { id: "a", title: "Check ports, memory and disk", status: "done", time: "0.4 s" },
              {
                id: "b",
                title: "Download image",
                status: "running",
                time: "13 s",
                sub: <Progress value={60} label="Download" />,
              },
              { id: "c", title: "Create folder", status: "failed", sub: "No space left on /" },
              { id: "d", title: "Start container", status: "pending" },
            ]}
          />
        </div>
      </Card>
      <Card title="Empty" w={3}>
        <EmptyState title="Nothing in orbit yet" action={<Button kind="primary">Open the store</Button>}>
          Install your first app and it appears here.
        </EmptyState>
      </Card>
      <Card title="Error" w={3}>
        <ErrorCard
          title="Disks did not answer"
          why="The disk service took longer than 5 s."
          remedy="Other cards still work."
          action={{ label: "Try again", run: () => toast("Trying…") }}
          code="disk_timeout"
        />
      </Card>
      <Card title="Locked part" w={3}>
        <LockedPart title="Staged rollouts">Part of the business plan, this server has community.</LockedPart>
      </Card>
      <Card title="Loading" w={3}>
        <Skeleton rows={4} tile />
      </Card>
    </>
  );
}
