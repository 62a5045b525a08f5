import type { PhysicalDisk } from "../../../../src/node/monitoring/disks/contract.ts";
import { query, setQuery } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Banner, Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { DiskCard } from "./disk-card.tsx";
import { DiskDetails } from "./disk-details.tsx";
import { DiskTable } from "./disk-table.tsx";
import { freeOn, nameOf } from "./words.ts";

/** Every physical disk of this server: how full it is, how it is, and what to do about it. */
export function Disks() {
  const overview = useResource("GET /api/disks/overview", { everyMs: 60_000 });
  const health = useResource("GET /api/system/disk/health", { everyMs: 60_000 });
  const filesystems = useResource("GET /api/system/disks", { everyMs: 60_000 });
  const freeOf = ({ mounts }: PhysicalDisk) => freeOn(mounts, filesystems.data.value);
  const healthOf = ({ device }: PhysicalDisk) => health.data.value?.disks.find((entry) => entry.device === device);
  const isTable = query.value.get("view") === "table";
  const open = overview.data.value?.find(({ device }) => nameOf(device) === query.value.get("disk"));
  const show = ({ device }: PhysicalDisk): void => setQuery({ disk: nameOf(device) });
  const step = health.data.value?.smartctl.next_step ?? null;
  return (
    <div class="page">
      <header class="head">
        <h1>Disks</h1>
        <span class="push">
          <Segmented
            size="sm"
            label="Show as"
            value={isTable ? "table" : "cards"}
            options={[
              { value: "cards", label: "Pictures", icon: "grid" },
              { value: "table", label: "Table", icon: "list" },
            ]}
            onValue={(value) => setQuery({ view: value === "table" ? "table" : null })}
          />
        </span>
      </header>
      {step !== null && (
        <Banner
          state="warn"
          action={
            isAdmin() && (
              <LinkButton href="/components" size="sm">
                Open Components
              </LinkButton>
            )
          }
        >
          The health of the disks is unknown: smartctl is not installed. {step}
        </Banner>
      )}
      <Loaded of={overview} what="Disks" skeleton={<SkeletonCards />}>
        {(disks) =>
          disks.length === 0 ? (
            <Card>
              <EmptyState title="No disk of its own">
                This server shows no physical disk, as containers do. The host below it knows them.
              </EmptyState>
            </Card>
          ) : isTable ? (
            <DiskTable disks={disks} healthOf={healthOf} onOpen={show} />
          ) : (
            <div class="diskgrid">
              {disks.map((disk) => (
                <DiskCard
                  key={disk.device}
                  disk={disk}
                  health={healthOf(disk)}
                  freeBytes={freeOf(disk)}
                  onOpen={() => show(disk)}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {open !== undefined && (
        <DiskDetails key={open.device} disk={open} health={healthOf(open)} onClose={() => setQuery({ disk: null })} />
      )}
    </div>
  );
}

function SkeletonCards() {
  return (
    <div class="diskgrid">
      {[1, 2].map((index) => (
        <Card key={index}>
          <Skeleton rows={4} tile height={236} />
        </Card>
      ))}
    </div>
  );
}
