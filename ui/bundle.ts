import { createHash } from "node:crypto";
import { relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

/** One file of the finished bundle. */
export interface BundledFile {
  name: string;
  text: string;
}

/** The entry that the page loads, what later screens share besides, and each lazy module by its source path. */
export interface Bundle {
  entry: BundledFile;
  common: BundledFile;
  lazy: Map<string, BundledFile>;
}

/** Where shared modules are left for the lazy ones to find. */
const registry = "globalThis.__orrery";

/** Lazy modules that are more than that. */
export interface SpecialScreens {
  /** Those that a visit begins with. */
  first: readonly string[];
  /** The page of all components: nothing becomes shared because of it. */
  showcase?: string | undefined;
}

/**
 * Bundles an entry and its lazy modules so that a screen is two files: the entry and one of its own. esbuild's own splitting makes a file
 * per combination of screens that share a module, which is dozens of requests. Here every module that the entry or the first
 * screens reach, if another one does, goes into the entry, and what at least two other lazy modules reach into one more file, which comes with the
 * first of them. Lazy modules read both kinds from there, so that each exists only once.
 */
export async function bundleApp(
  root: string,
  entry: string,
  options: BuildOptions,
  special: SpecialScreens,
): Promise<Bundle> {
  const survey = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const shared = findShared(survey.metafile, entry, special);
  const inEntry = await readExports(root, [...shared.entry], options);
  const inCommon = await readExports(root, [...shared.common], options);
  const lazy = new Map<string, Promise<BundledFile>>();

  const bundleLazy = (path: string): Promise<BundledFile> => {
    const started =
      lazy.get(path) ??
      bundleOne(root, path, {
        ...options,
        entryPoints: [path],
        plugins: [
          plugin(
            (other) => other !== path && inEntry.has(other),
            (other) => other !== path && inCommon.has(other),
          ),
        ],
      });
    lazy.set(path, started);
    return started;
  };
  const never = (): boolean => false;
  const plugin = (isInEntry: (path: string) => boolean, isInCommon: (path: string) => boolean): Plugin => ({
    name: "screens",
    setup(context) {
      context.onResolve({ filter: /.*/ }, async (args) => {
        if (args.pluginData === "resolved" || args.kind === "entry-point") return null;
        const found = await context.resolve(args.path, {
          kind: args.kind,
          resolveDir: args.resolveDir,
          importer: args.importer,
          pluginData: "resolved",
        });
        if (found.errors.length > 0 || found.external) return found;
        const path = relative(root, found.path);
        if (args.kind === "dynamic-import") return { path: `./${(await bundleLazy(path)).name}`, external: true };
        if (isInEntry(path)) return { path, namespace: "entry" };
        return isInCommon(path) ? { path, namespace: "common" } : found;
      });
      context.onLoad({ filter: /.*/, namespace: "entry" }, (args) => ({
        contents: readLeft(args.path, inEntry.get(args.path) ?? []),
      }));
      context.onResolve({ filter: /^common$/ }, () => ({ path: `./${common.name}`, external: true }));
      context.onLoad({ filter: /.*/, namespace: "common" }, (args) => ({
        contents: `import "common";\n${readLeft(args.path, inCommon.get(args.path) ?? [])}`,
      }));
    },
  });
  const names = new Set<string>();
  const common = await bundleOne(root, "common", {
    ...options,
    stdin: { contents: leaveModules(inCommon, names), resolveDir: root, loader: "js" },
    plugins: [plugin((path) => inEntry.has(path), never)],
  });
  const main = await bundleOne(root, entry, {
    ...options,
    stdin: { contents: `import "registry";\nimport "./${entry}";`, resolveDir: root, loader: "js" },
    plugins: [virtual("registry", leaveModules(inEntry, names), root), plugin(never, never)],
  });
  const finished = await Promise.all(
    [...lazy].map(async ([path, file]): Promise<[string, BundledFile]> => [path, await file]),
  );
  return { entry: main, common, lazy: new Map(finished) };
}

/**
 * Modules that more than one file needs, by the file they go into: those that the entry reaches, or a first screen and another one, and what
 * leads to lazy modules itself, are the entry's; those that at least two others reach are common. What the page of all components has
 * besides does not count: every visit would load for it.
 */
function findShared(
  meta: Metafile,
  entry: string,
  { first, showcase }: SpecialScreens,
): { entry: Set<string>; common: Set<string> } {
  const lazy = Object.values(meta.outputs).flatMap((output) =>
    output.entryPoint === undefined || output.entryPoint === entry ? [] : [output.entryPoint],
  );
  const inEntry = reach(meta, entry);
  inEntry.delete(entry);
  const users = new Map<string, number>();
  for (const start of lazy.filter((path) => path !== showcase))
    for (const path of reach(meta, start)) users.set(path, (users.get(path) ?? 0) + 1);
  const shared = [...users]
    .filter(([path, count]) => (inEntry.has(path) || count > 1) && !lazy.includes(path))
    .map(([path]) => path);
  const leads = (path: string): boolean =>
    meta.inputs[path]?.imports.some(({ kind }) => kind === "dynamic-import") ?? false;
  const early = new Set(inEntry);
  for (const path of [...first, ...shared.filter(leads)]) reach(meta, path, early);
  return {
    entry: new Set(shared.filter((path) => early.has(path))),
    common: new Set(shared.filter((path) => !early.has(path))),
  };
}

function reach(meta: Metafile, start: string, seen = new Set<string>()): Set<string> {
  if (seen.has(start)) return seen;
  seen.add(start);
  for (const item of meta.inputs[start]?.imports ?? []) {
    if (item.kind !== "dynamic-import" && item.external !== true) reach(meta, item.path, seen);
  }
  return seen;
}

/** The export names of each module, as esbuild reads them. */
async function readExports(root: string, paths: string[], options: BuildOptions): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: paths,
    outdir: "out",
    outbase: "/",
    bundle: false,
    format: "esm",
    write: false,
    metafile: true,
  });
  return new Map(Object.values(metafile.outputs).map((output) => [output.entryPoint ?? "", output.exports]));
}

/** Short, because a file carries one for each module, and the same in every build, so that screens which did not change stay cached. */
function nameOf(path: string): string {
  return createHash("sha256").update(path).digest("base64url").slice(0, 4);
}

/** Code by which a file leaves what its modules export, each value once: namespace objects would take a function for each export. */
function leaveModules(modules: Map<string, string[]>, names: Set<string>): string {
  const imports: string[] = [];
  const left = [...modules].map(([path, exports], index) => {
    const name = nameOf(path);
    if (names.has(name)) throw new Error(`two modules have the short name of ${path}: rename one of them`);
    names.add(name);
    const own = (key: string): string => `m${index}_${key}`;
    imports.push(`import { ${exports.map((key) => `${key} as ${own(key)}`).join(", ")} } from "./${path}";`);
    return `"${name}": { ${exports.map((key) => `"${key}": ${own(key)}`).join(", ")} }`;
  });
  return `${imports.join("\n")}\nObject.assign((${registry} ??= {}), { ${left.join(", ")} });`;
}

function readLeft(path: string, names: string[]): string {
  const parts = names.filter((name) => name !== "default").map((name) => `export const ${name} = module["${name}"];`);
  if (names.includes("default")) parts.push('export default module["default"];');
  return `const module = ${registry}["${nameOf(path)}"];\n${parts.join("\n")}`;
}

function virtual(name: string, contents: string, resolveDir: string): Plugin {
  return {
    name,
    setup(context) {
      context.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "virtual" }));
      context.onLoad({ filter: /.*/, namespace: "virtual" }, () => ({ contents, resolveDir, loader: "js" }));
    },
  };
}

async function bundleOne(root: string, path: string, options: BuildOptions): Promise<BundledFile> {
  const result = await build({
    ...options,
    absWorkingDir: root,
    outdir: "out",
    bundle: true,
    format: "esm",
    write: false,
  });
  const text = result.outputFiles?.[0]?.text ?? "";
  const base =
    path
      .split("/")
      .at(-1)
      ?.replace(/\.tsx?$/, "") ?? "chunk";
  return { name: `${base}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`, text };
}
