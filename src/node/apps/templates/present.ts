import { parseCompose } from "../compose/index.ts";
import type { TemplateDetail } from "./contract.ts";
import { templateOf } from "./index-build.ts";
import type { Manifest } from "./manifest.ts";
import { sampleVariables } from "./variables.ts";

/** What people see of a template before they install it. */
export function presentTemplate(manifest: Manifest, composeText: string): TemplateDetail {
  const project = parseCompose(composeText, {
    file: "compose.yaml",
    variables: sampleVariables(manifest),
    ports: "refuse",
  });
  const { license, links, arch, needs, volumes, permissions } = manifest;
  return {
    ...templateOf(manifest),
    license,
    links,
    arch,
    needs,
    volumes,
    permissions,
    inputs: manifest.inputs.map((input) => ({ ...input, default: input.default ?? null })),
    secrets: manifest.secrets.map(({ key, kind, label }) => ({ key, kind, label })),
    ports: manifest.ports.map(({ service, container, purpose, publish, protocol }) => ({
      service,
      container,
      protocol: protocol ?? "tcp",
      purpose,
      publish,
    })),
    images: project.services.map(({ name, image }) => ({ service: name, image, pinned: image.includes("@sha256:") })),
    first_run: manifest.first_run ?? null,
  };
}
