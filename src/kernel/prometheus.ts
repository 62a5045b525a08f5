/** One figure with the labels that tell it apart from others of its name. */
export interface Figure {
  labels?: Readonly<Record<string, string>>;
  /** Left out of the answer when it is not a number that counts: unknown is not zero. */
  value: number | null;
}

/** Figures of one name, as scrapers of the Prometheus text format read them. */
export interface Measure {
  /** Letters, digits and underscores, the unit at the end: `orrery_node_memory_used_bytes`. */
  name: string;
  help: string;
  type: "gauge" | "counter";
  figures: readonly Figure[];
}

/** The content type of the text format. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

function writeFigure(name: string, { labels = {}, value }: Figure): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

/** Figures in the text format 0.0.4; what has no number is left out, and a name without any too. */
export function writeMeasures(measures: readonly Measure[]): string {
  const blocks = measures.flatMap(({ name, help, type, figures }) => {
    const known = figures.filter(({ value }) => value !== null && Number.isFinite(value));
    if (known.length === 0) return [];
    return [
      `# HELP ${name} ${escapeHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...known.map((one) => writeFigure(name, one)),
    ];
  });
  return `${blocks.join("\n")}\n`;
}
