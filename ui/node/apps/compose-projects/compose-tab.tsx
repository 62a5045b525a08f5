import { useState } from "preact/hooks";
import type { Project } from "../../../../src/node/apps/compose-projects/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { LetProjectGo } from "./let-project-go.tsx";
import { ProjectEditor } from "./project-editor.tsx";
import { RemoveProject } from "./remove-project.tsx";
import { WorkCard } from "./work-card.tsx";

/** Compose projects: their state, and the file of each to change and deploy. */
export function ComposeTab({ search }: { search: string }) {
  const chosen = query.value.get("project");
  const opId = query.value.get("op");
  if (opId !== null) return <WorkCard opId={opId} onClose={() => setQuery({ op: null, project: null })} />;
  if (chosen !== null) return <ProjectEditor key={chosen} name={chosen === "" ? null : chosen} />;
  return <List search={search.trim().toLowerCase()} />;
}

const begin = (): void => setQuery({ project: "new" }, { isStep: true });

function List({ search }: { search: string }) {
  const projects = useResource("GET /api/containers/compose", { everyMs: 15_000 });
  const [removed, setRemoved] = useState<string | null>(null);
  const [letGo, setLetGo] = useState<string | null>(null);
  const add = (
    <Button size="sm" kind="primary" icon="plus" onClick={begin}>
      New project
    </Button>
  );
  return (
    <Card
      title="Compose projects"
      aside="a Compose file as it is"
      actions={(projects.data.value?.length ?? 0) > 0 && add}
    >
      <Loaded of={projects} what="Compose projects" skeleton={<Skeleton rows={3} tile />}>
        {(all) => {
          const list = all.filter(({ name }) => name.includes(search));
          if (all.length === 0)
            return (
              <EmptyState title="No Compose project yet" action={add}>
                Paste a Compose file: you see what it would do before anything happens.
              </EmptyState>
            );
          if (list.length === 0) return <p class="card-b c3">No project is called like this.</p>;
          return (
            <ul class="rows">
              {list.map((project) => (
                <Row
                  key={project.name}
                  project={project}
                  onRemove={() => setRemoved(project.name)}
                  onLetGo={() => setLetGo(project.name)}
                />
              ))}
            </ul>
          );
        }}
      </Loaded>
      {letGo !== null && <LetProjectGo name={letGo} onClose={() => setLetGo(null)} />}
      {removed !== null && <RemoveProject name={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function Row({
  project: { name, managed, services },
  onRemove,
  onLetGo,
}: {
  project: Project;
  onRemove: () => void;
  onLetGo: () => void;
}) {
  const up = services.filter(({ state }) => state === "running").length;
  const change = async (verb: "start" | "stop" | "restart"): Promise<void> => {
    try {
      const { op_id } = await api(`POST /api/containers/compose/{name}/${verb}`, { path: { name } });
      setQuery({ op: op_id }, { isStep: true });
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  return (
    <li class="item">
      <div class="body">
        <p class="title row">
          <a class="cut" href={`/containers?tab=compose&project=${name}`}>
            {name}
          </a>
          {!managed && <Chip>Not started from here</Chip>}
        </p>
        <p class="sub cut">{services.map((service) => service.name).join(", ")}</p>
      </div>
      <Status state={up === 0 ? "off" : up === services.length ? "ok" : "warn"}>
        {services.length === 0 ? "Nothing on the engine" : `${up} of ${services.length} running`}
      </Status>
      {managed ? (
        <Menu
          label={`What to do with ${name}`}
          trigger={(props) => <IconButton {...props} icon="more" size="sm" label={`More about ${name}`} />}
          items={[
            { label: "Edit the file", href: `/containers?tab=compose&project=${name}` },
            { label: "Start", run: () => void change("start") },
            { label: "Stop", run: () => void change("stop") },
            { label: "Restart", run: () => void change("restart") },
            { label: "Let go of it", run: onLetGo },
            { label: "Remove", danger: true, run: onRemove },
          ]}
        />
      ) : (
        <Button size="sm" onClick={() => setQuery({ project: name }, { isStep: true })}>
          Take over
        </Button>
      )}
    </li>
  );
}
