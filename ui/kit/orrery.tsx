import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  type Body,
  dialPath,
  maxRings,
  needsAttention,
  type OrbitSize,
  type PlacedBody,
  placeBodies,
  tailPath,
} from "./orbit-layout.ts";

interface OrreryProps {
  bodies: Body[];
  size?: OrbitSize;
  /** Rings are drawn empty up to this number, so that the picture is there before the first app. */
  rings?: number;
  names?: boolean;
  /** Sign-in shows the rings without a centre and without names. */
  core?: boolean;
  dial?: boolean;
  label: string;
}

/** Size on the home page. */
export const homeSize: OrbitSize = { width: 560, height: 392, first: 58, gap: 36 };
/** Size in the setup wizard. */
export const setupSize: OrbitSize = { width: 620, height: 560, first: 84, gap: 48 };

/** The hero: ring = kind, dot = app, size = memory, tail = processor, shape = state. Each dot is a link. */
export function Orrery({
  bodies,
  size = homeSize,
  rings = maxRings,
  names = true,
  core = true,
  dial = true,
  label,
}: OrreryProps) {
  const { ref, unit } = useUnit(size);
  const placed = placeBodies(bodies, size, unit);
  const [cx, cy] = [size.width / 2, size.height / 2];
  const empty = Array.from(
    { length: Math.max(0, rings - placed.length) },
    (_, index) => size.first + (placed.length + index) * size.gap,
  );
  const dialRadius = size.first + (maxRings - 1) * size.gap + 20;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be inside a picture.
    <svg
      ref={ref}
      style={{ "--unit": String(unit) }}
      class="orrery"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="group"
      aria-label={label}
    >
      <g>
        {dial && <path class="tk" d={dialPath(size, dialRadius, false)} />}
        {dial && <path class="tk hr" d={dialPath(size, dialRadius, true)} />}
        {[...placed.map((ring) => ring.radius), ...empty].map((radius) => (
          <circle key={radius} class="rg" cx={cx} cy={cy} r={radius} />
        ))}
        {core && <circle class="halo" cx={cx} cy={cy} r={size.first * 0.44} />}
        {core && <circle class="core" cx={cx} cy={cy} r={size.first * 0.22} />}
      </g>
      {placed.map((ring, index) => (
        <g key={ring.name} class={`drift ${index % 2 === 1 ? "back" : ""}`}>
          {ring.bodies.map((body) => {
            const tail = tailPath(body, size);
            return tail === null ? null : <path key={body.id} class="tail" d={tail} />;
          })}
        </g>
      ))}
      {names &&
        placed.map((ring) => (
          <text key={ring.name} x={cx} y={cy + ring.radius + 4 * unit} text-anchor="middle">
            {ring.name}
          </text>
        ))}
      {names && placed.flatMap((ring) => ring.bodies.map((body) => <Name key={body.id} body={body} />))}
      {placed.map((ring, index) => (
        <g key={ring.name} class={`drift ${index % 2 === 1 ? "back" : ""}`}>
          {ring.bodies.map((body) => (
            <Dot key={body.id} body={body} />
          ))}
        </g>
      ))}
    </svg>
  );
}

function Dot({ body }: { body: PlacedBody }) {
  const off = needsAttention(body.state);
  const drawing = (
    <>
      {off && <path class={`lead ${body.state}`} d={`M${body.home.x} ${body.home.y}L${body.x} ${body.y}`} />}
      {off && <circle class="dot off" cx={body.home.x} cy={body.home.y} r={3} />}
      <Shape body={body} />
    </>
  );
  if (body.href === undefined) return <g>{drawing}</g>;
  return (
    // The list below the picture has a tab stop for each app already.
    <a href={body.href} tabIndex={-1} aria-label={body.name}>
      <circle class="hit" cx={body.x} cy={body.y} r={Math.max(14, body.radius + 4)} />
      {drawing}
      {body.label.hidden && <Label body={body} late />}
    </a>
  );
}

function Shape({ body: { x, y, radius, state } }: { body: PlacedBody }) {
  if (state === "crit") {
    const half = Math.max(7, radius * 0.9);
    return <rect class="dot crit" x={x - half} y={y - half} width={half * 2} height={half * 2} rx={1.5} />;
  }
  if (state === "warn") return <path class="dot warn" d={`M${x} ${y - 9}L${x + 9} ${y + 7}H${x - 9}Z`} />;
  if (state === "info")
    return <path class="dot info" d={`M${x} ${y - 8}L${x + 8} ${y}L${x} ${y + 8}L${x - 8} ${y}Z`} />;
  if (state === "off" || state === "unknown") return <circle class="dot off" cx={x} cy={y} r={radius} />;
  if (state === "busy") return <circle class="dot busy" cx={x} cy={y} r={radius} />;
  return <circle class="dot" cx={x} cy={y} r={radius} />;
}

function Name({ body }: { body: PlacedBody }) {
  return body.label.hidden ? null : <Label body={body} />;
}

/** A body's name; a `late` one had no free place and is there only while the body is pointed at. */
function Label({ body, late = false }: { body: PlacedBody; late?: boolean }) {
  return (
    <text
      class={`nm ${needsAttention(body.state) ? "bad" : ""} ${late ? "late" : ""}`}
      x={body.label.x}
      y={body.label.y}
      text-anchor={body.label.anchor}
    >
      {body.name}
    </text>
  );
}

/** How large a screen pixel is in the picture, kept up to date; letters use it so that they never get smaller than 12 px. */
function useUnit(size: OrbitSize) {
  const ref = useRef<SVGSVGElement>(null);
  const [unit, setUnit] = useState(1);
  useLayoutEffect(() => {
    const svg = ref.current;
    if (svg === null) return;
    const measure = (): void => {
      const { width, height } = svg.getBoundingClientRect();
      if (width > 0)
        setUnit(Math.round(Math.max(size.width / width, size.height / Math.max(1, height), 0.8) * 50) / 50);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(svg);
    return () => watch.disconnect();
  }, [size]);
  return { ref, unit };
}
