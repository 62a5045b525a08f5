import { createHash } from "node:crypto";
import { relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";

/** One file of the finished bundle. */
export interface BundledFile {
  name: string;
  text: string;
}

/** The entry that the page loads, and each lazy module by its source path. */
export interface Bundle {
  entry: BundledFile;
  lazy: Map<string, BundledFile>;
}

/** Where the entry leaves its modules for the lazy ones to find. */
const registry = "globalThis.__orrery";

/**
 * Bundles an entry and its lazy modules so that a screen is two files: the entry and one of its own. esbuild's own splitting makes a file
 * per combination of screens that share a module, which is dozens of requests. Here every module that the entry or at least two
 * lazy modules reach goes into the entry, and lazy modules read it from there, so that it also exists only once. `showcase` is a lazy module for which nothing is moved into the entry.
 */
export async function bundleApp(
  root: string,
  entry: string,
  options: BuildOptions,
  showcase?: string,
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
  const shared = findShared(survey.metafile, entry, showcase);
  const exported = await readExports(root, [...shared], options);
  const lazy = new Map<string, Promise<BundledFile>>();

  const bundleLazy = (path: string): Promise<BundledFile> => {
    const started =
      lazy.get(path) ?? bundleOne(root, path, { ...options, entryPoints: [path], plugins: [plugin(path)] });
    lazy.set(path, started);
    return started;
  };
  const plugin = (from: string | null): Plugin => ({
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
        if (from !== null && path !== from && exported.has(path)) return { path, namespace: "entry" };
        return found;
      });
      context.onLoad({ filter: /.*/, namespace: "entry" }, (args) => ({
        contents: readFromEntry(args.path, exported.get(args.path) ?? []),
      }));
    },
  });
  const start = leaveModules(exported);
  const main = await bundleOne(root, entry, {
    ...options,
    stdin: { contents: `import "registry";\nimport "./${entry}";`, resolveDir: root, loader: "js" },
    plugins: [virtual("registry", start, root), plugin(null)],
  });
  const finished = await Promise.all(
    [...lazy].map(async ([path, file]): Promise<[string, BundledFile]> => [path, await file]),
  );
  return { entry: main, lazy: new Map(finished) };
}

/**
 * Modules that more than one file needs: those the entry reaches, and those at least two lazy modules reach. What the page of all
 * components has besides does not count: every visit would load for it.
 */
function findShared(meta: Metafile, entry: string, showcase: string | undefined): Set<string> {
  const lazy = Object.values(meta.outputs).flatMap((output) =>
    output.entryPoint === undefined || output.entryPoint === entry ? [] : [output.entryPoint],
  );
  const inEntry = reach(meta, entry);
  inEntry.delete(entry);
  const users = new Map<string, number>();
  for (const start of lazy.filter((path) => path !== showcase))
    for (const path of reach(meta, start)) users.set(path, (users.get(path) ?? 0) + 1);
  const both = [...users].filter(([path, count]) => inEntry.has(path) || count > 1).map(([path]) => path);
  return new Set(both.filter((path) => !lazy.includes(path)));
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

/** Short, because the entry carries one for each module, and the same in every build, so that screens which did not change stay cached. */
function nameOf(path: string): string {
  return createHash("sha256").update(path).digest("base64url").slice(0, 4);
}

/** Code by which the entry leaves what its modules export, each value once: namespace objects would take a function for each export. */
function leaveModules(modules: Map<string, string[]>): string {
  const names = new Set<string>();
  const imports: string[] = [];
  const left = [...modules].map(([path, exports], index) => {
    const name = nameOf(path);
    if (names.has(name)) throw new Error(`two modules have the short name of ${path}: rename one of them`);
    names.add(name);
    const own = (key: string): string => `m${index}_${key}`;
    imports.push(`import { ${exports.map((key) => `${key} as ${own(key)}`).join(", ")} } from "./${path}";`);
    return `"${name}": { ${exports.map((key) => `"${key}": ${own(key)}`).join(", ")} }`;
  });
  return `${imports.join("\n")}\n${registry} = { ${left.join(", ")} };`;
}

function readFromEntry(path: string, names: string[]): string {
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
