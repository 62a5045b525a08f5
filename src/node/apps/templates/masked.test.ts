import { expect, test } from "bun:test";
import { join } from "node:path";
import { maskCommand, maskLabels, maskVariable } from "../../../lib/mask-secrets.ts";
import { parseCompose } from "../compose/index.ts";
import { listFolders, readTemplateText } from "./index-build.ts";
import { readManifest } from "./template-text.ts";
import { sampleVariables } from "./variables.ts";

const root = join(import.meta.dir, "../../../../embed/node/templates");

// Containers show their secrets to nobody who knows the app's; once an app is gone, or is not ours, names are all there is to go by.
test("wherever a template puts a secret, it is known for one by the name or the place that it has", async () => {
  const shown: string[] = [];
  let uses = 0;
  for (const name of await listFolders(root))
    for (const version of await listFolders(join(root, name))) {
      const text = await readTemplateText(root, name, version);
      const read = readManifest(text.app, name);
      if (read.kind === "problems") throw new Error(`${name} cannot be read`);
      const asked = read.manifest.inputs.filter(({ type }) => type === "password");
      const keys = [...read.manifest.secrets, ...asked].map(({ key }) => key);
      const secrets = Object.fromEntries(keys.map((key) => [key, `s3cr3tOf${key.replaceAll("_", "")}Zq91`]));
      const variables = { ...sampleVariables(read.manifest, "first"), ...secrets };
      const { services } = parseCompose(text.compose, { file: name, variables, ports: "refuse" });
      const hasSecret = (value: string) => value.includes("s3cr3tOf");
      for (const { environment, command, entrypoint, labels } of services) {
        const pairs = Object.entries(environment).map(([key, value]) => `${key}=${value}`);
        const argv = [...(entrypoint ?? []), ...(command ?? [])];
        uses += [...pairs, ...argv, ...Object.values(labels)].filter(hasSecret).length;
        const visible = [
          ...pairs.map((pair) => maskVariable(pair).value ?? ""),
          ...maskCommand(argv),
          ...Object.values(maskLabels(labels)),
        ];
        shown.push(...visible.filter(hasSecret).map((value) => `${name}: ${value}`));
      }
    }
  expect(shown).toEqual([]);
  expect(uses).toBeGreaterThan(100);
});
