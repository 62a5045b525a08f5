/** Builds each program's dashboard into embed/<program>/ui: hashed assets, precompressed, with a budget that fails the build. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";
import { type Bundle, bundleApp } from "./bundle.ts";
import { buildBrandSprite } from "./icons/brands.ts";
import { buildSprite } from "./icons/sprite.ts";

/** A program's dashboard. */
interface Dashboard {
  program: string;
  /** The page of all components, where there is one. */
  showcase?: string;
  /** Screens that a first visit may open. */
  firstScreens: string[];
  /** Whether it shows apps with their own marks. */
  hasBrands: boolean;
}

const ui = import.meta.dirname;
const root = join(ui, "..");

const dashboards: Dashboard[] = [
  {
    program: "node",
    showcase: "node/kit/kit.tsx",
    hasBrands: true,
    firstScreens: [
      "node/platform/dashboards/home.tsx",
      "node/people/sign-ins/signin.tsx",
      "node/platform/setup/setup.tsx",
    ],
  },
  {
    program: "panel",
    hasBrands: false,
    firstScreens: ["panel/fleet/fleet-overview/overview.tsx", "panel/people/accounts/signin.tsx"],
  },
];

/** Limits in bytes (gzip, the page itself plain) and in requests; going over one fails the build. */
const budget = {
  entry: 60_000,
  common: 40_000,
  css: 20_000,
  html: 4_096,
  sprite: 5_120,
  brands: 24_000,
  firstLoad: 130_000,
  requests: 8,
};

for (const dashboard of dashboards) await buildDashboard(dashboard);

async function buildDashboard({ program, showcase, firstScreens, hasBrands }: Dashboard): Promise<void> {
  const out = join(root, "embed", program, "ui");
  const assets = join(out, "assets");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });

  /** Writes a text asset under its hashed name and gives that name. */
  const put = (name: string, extension: string, text: string): string => {
    const file = `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.${extension}`;
    writeFileSync(join(assets, file), text);
    return file;
  };
  const named = (pattern: RegExp): string => {
    const found = readdirSync(assets).find((name) => pattern.test(name));
    if (found === undefined) throw new Error(`the build made no file like ${pattern}`);
    return found;
  };

  const sprite = put("sprite", "svg", buildSprite(join(ui, "icons"), join(root, "node_modules/lucide-static/icons")));
  const simpleIcons = join(root, "node_modules/simple-icons/icons");
  const brands = hasBrands ? put("brands", "svg", buildBrandSprite(simpleIcons)) : null;
  const favicon = put("favicon", "svg", readFileSync(join(ui, "icons/favicon.svg"), "utf8"));
  const options: BuildOptions = {
    target: "es2022",
    minify: true,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: {
      SPRITE_URL: JSON.stringify(`/assets/${sprite}`),
      BRANDS_URL: JSON.stringify(brands === null ? "" : `/assets/${brands}`),
    },
    // What a screen brings along itself; the styles of the page are built below.
    loader: { ".css": "text" },
    logLevel: "warning",
  };
  const app = await bundleApp(ui, `${program}/main.tsx`, options, { first: firstScreens, showcase });
  for (const file of [app.entry, app.common, ...app.lazy.values()]) writeFileSync(join(assets, file.name), file.text);
  await build({
    absWorkingDir: ui,
    entryPoints: [`${program}/styles.css`],
    outdir: assets,
    bundle: true,
    minify: true,
    loader: { ".woff2": "file" },
    publicPath: "/assets",
    entryNames: `${program}-[hash]`,
    assetNames: "[name]-[hash]",
    logLevel: "warning",
  });
  const css = named(new RegExp(`^${program}-\\w+\\.css$`));
  const font = named(/^geist-latin-/);
  writeFileSync(
    join(out, "index.html"),
    readFileSync(join(ui, "index.html"), "utf8")
      .replace("%ICON%", `/assets/${favicon}`)
      .replace("%FONT%", `/assets/${font}`)
      .replace("%CSS%", `/assets/${css}`)
      .replace("%ENTRY%", `/assets/${app.entry.name}`),
  );
  const files = readdirSync(assets)
    .sort()
    .map((name) => `/assets/${name}`);
  await build({
    ...options,
    absWorkingDir: ui,
    entryPoints: ["worker.ts"],
    outfile: join(out, "worker.js"),
    bundle: true,
    format: "iife",
    define: { FILES: JSON.stringify(files) },
  });
  for (const name of readdirSync(assets)) if (extname(name) !== ".woff2") compress(join(assets, name));
  report(program, firstScreens, out, app, { css, sprite, font, brands });
}

function compress(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
}

function report(
  program: string,
  firstScreens: readonly string[],
  out: string,
  app: Bundle,
  { css, sprite, font, brands }: { css: string; sprite: string; font: string; brands: string | null },
): void {
  const gzipped = (name: string): number => {
    const path = join(out, "assets", name);
    return statSync(extname(name) === ".woff2" ? path : `${path}.gz`).size;
  };
  const page = readFileSync(join(out, "index.html"));
  const rows: [name: string, size: number, limit: number | null][] = [
    ["html, plain", page.length, budget.html],
    ["entry", gzipped(app.entry.name), budget.entry],
    ["common", gzipped(app.common.name), budget.common],
    ["css", gzipped(css), budget.css],
    ["sprite", gzipped(sprite), budget.sprite],
    ...(brands === null ? [] : [["brands", gzipped(brands), budget.brands] satisfies (typeof rows)[number]]),
  ];
  for (const [path, file] of app.lazy) {
    rows.push([basename(path, ".tsx"), gzipped(file.name), null]);
    if (!firstScreens.includes(path)) continue;
    // The marks of apps are asked for once a screen with apps stands, and kept for good.
    const files = [app.entry.name, file.name, css, sprite, font];
    const total = files.reduce((sum, name) => sum + gzipped(name), gzipSync(page, { level: 9 }).length);
    rows.push([`  first load`, total, budget.firstLoad], [`  requests`, files.length + 1, budget.requests]);
  }
  let failed = false;
  process.stdout.write(`${program}\n`);
  for (const [name, size, limit] of rows) {
    const over = limit !== null && size > limit;
    failed ||= over;
    process.stdout.write(
      `${over ? "OVER " : "     "}${name.padEnd(16)} ${String(size).padStart(7)}${limit === null ? "" : ` of ${limit}`}\n`,
    );
  }
  if (!failed) return;
  process.stderr.write(`The dashboard of the ${program} is over its size budget.\n`);
  process.exitCode = 1;
}
