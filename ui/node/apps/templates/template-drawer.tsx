import type { TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";
import { megabytes } from "../../../client/format.ts";
import type { IconName } from "../../../icons/names.ts";
import { Button } from "../../../kit/button.tsx";
import { Drawer } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { TemplateTile } from "./app-tile.tsx";
import { categoryName } from "./template-card.tsx";

/** All about one app of the catalogue, before it is installed. */
export function TemplateDrawer({
  name,
  onInstall,
  onClose,
}: {
  name: string;
  onInstall: () => void;
  onClose: () => void;
}) {
  const detail = useResource("GET /api/templates/{name}", { path: { name } });
  const known = detail.data.value;
  return (
    <Drawer
      title={known?.display_name ?? name}
      sub={known === null ? "" : `${categoryName(known.category)}, version ${known.version}`}
      lead={<TemplateTile template={known ?? { icon: "box", category: "", name }} />}
      onClose={onClose}
      foot={
        isAdmin() ? (
          <Button kind="primary" class="push" onClick={onInstall}>
            Install
          </Button>
        ) : (
          <p class="t13 c3">Your account may not install apps. Ask an admin of this server.</p>
        )
      }
    >
      <Loaded of={detail} what="This app">
        {(template) => <About template={template} />}
      </Loaded>
    </Drawer>
  );
}

function About({ template }: { template: TemplateDetail }) {
  return (
    <div class="stack">
      <p class="c2">{template.description}</p>
      <dl class="dl">
        <dt>Memory</dt>
        <dd>{megabytes(template.needs.ram_mb)}</dd>
        <dt>Disk</dt>
        <dd>{megabytes(template.needs.disk_mb)}</dd>
        <dt>Processors</dt>
        <dd>{template.arch.join(", ")}</dd>
        <dt>Licence</dt>
        <dd>{template.license}</dd>
      </dl>
      <Permissions permissions={template.permissions} />
      <div>
        <h3 class="sub-h">What runs</h3>
        <ul class="imagelist">
          {template.images.map((image) => (
            <li key={image.service}>
              <b>{image.service}</b>
              <span class="mono cut" data-tip={image.image}>
                {image.image}
              </span>
              <span class="t12 c3">{image.pinned ? "pinned" : "not pinned"}</span>
            </li>
          ))}
        </ul>
      </div>
      {template.links.length > 0 && (
        <p class="btns">
          {template.links.map((link) => (
            <a key={link.url} class="link" href={link.url} target="_blank" rel="noopener noreferrer">
              {link.label}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

const permissionIcons: Record<string, IconName> = {
  docker_socket: "box",
  host_path: "folder",
  device: "plug",
  capability: "key",
  security_opt: "shield",
};

/** What an app may do, in words. */
export function Permissions({ permissions }: { permissions: TemplateDetail["permissions"] }) {
  if (permissions.length === 0) {
    return (
      <p class="row t13 c2">
        <Icon name="shield-check" class="s ok" />
        It asks for nothing beyond its own data and its own network.
      </p>
    );
  }
  return (
    <div>
      <h3 class="sub-h">What it may do</h3>
      <ul class="perm">
        {permissions.map((permission) => (
          <li key={permission.id}>
            <Icon name={permissionIcons[permission.id.split(":")[0] ?? ""] ?? "key"} />
            <span>
              <b>{permission.title}</b>
              {permission.detail}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
