import { mean, median } from "./statistics.ts";

export interface Point {
  x: number;
  y: number;
}

/** A straight line through points. */
export interface Line {
  /** Change of y for one step of x. */
  slope: number;
  /** y at x = 0. */
  intercept: number;
  /** Share of the variation that the line explains, 0 to 1; 0 where nothing varies. */
  r_squared: number;
}

/** The line with the least squared errors; null below two different x. */
export function leastSquares(points: readonly Point[]): Line | null {
  const middleX = mean(points.map(({ x }) => x));
  const middleY = mean(points.map(({ y }) => y));
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const { x, y } of points) {
    xx += (x - middleX) ** 2;
    xy += (x - middleX) * (y - middleY);
    yy += (y - middleY) ** 2;
  }
  if (!(xx > 0)) return null;
  const slope = xy / xx;
  // Rounding makes even equal values differ a little; that is no variation to explain.
  const varies = yy > points.length * (middleY * 1e-12) ** 2;
  return { slope, intercept: middleY - slope * middleX, r_squared: varies ? Math.min(1, xy ** 2 / (xx * yy)) : 0 };
}

/**
 * Median of the slopes of all pairs of points (Theil and Sen): more than a quarter of the points may be wild without moving
 * it. Looks at n² pairs, so give it hundreds of points at most. NaN below two different x.
 */
export function theilSenSlope(points: readonly Point[]): number {
  const slopes: number[] = [];
  for (const [index, first] of points.entries()) {
    for (const second of points.slice(index + 1)) {
      if (second.x !== first.x) slopes.push((second.y - first.y) / (second.x - first.x));
    }
  }
  return median(slopes);
}
