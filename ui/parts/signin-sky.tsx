import { hash } from "../kit/hash.ts";
import { polar } from "../kit/orbit-layout.ts";

const radii = [460, 530, 600, 670];
const [cx, cy] = [720, 450];

/** The rings behind the sign-in page: as many dots as apps are in orbit, without names, because nobody is signed in. */
export function SignInSky({ count }: { count: number }) {
  const dots = Array.from({ length: Math.min(24, count) }, (_, index) => {
    const seed = hash(`dot ${index}`);
    const radius = radii[index % radii.length] ?? 460;
    // Left or right of the form, where there is room on a wide page.
    const side = (Math.floor(index / 2) + index) % 2 === 0 ? 90 : 270;
    const angle = side - 50 + ((seed + index * 37) % 100);
    const gap = 2;
    const tail = 2 + (seed % 14);
    const from = polar(cx, cy, radius, angle - gap);
    const to = polar(cx, cy, radius, angle - gap - tail);
    return {
      at: polar(cx, cy, radius, angle),
      size: 5 + (seed % 6),
      path: tail > 5 ? `M${from.x} ${from.y}A${radius} ${radius} 0 0 0 ${to.x} ${to.y}` : null,
      ring: index % 2,
    };
  });
  return (
    <svg class="orrery sky-back" viewBox="0 0 1440 900" aria-hidden="true">
      {radii.map((radius) => (
        <circle key={radius} class="rg" cx={cx} cy={cy} r={radius} />
      ))}
      {[0, 1].map((ring) => (
        <g key={ring} class={`drift ${ring === 1 ? "back" : ""}`}>
          {dots
            .filter((dot) => dot.ring === ring)
            .map((dot) => (
              <g key={`${dot.at.x} ${dot.at.y}`}>
                {dot.path !== null && <path class="tail" d={dot.path} />}
                <circle class="dot" cx={dot.at.x} cy={dot.at.y} r={dot.size} />
              </g>
            ))}
        </g>
      ))}
    </svg>
  );
}
