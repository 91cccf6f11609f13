/** A quiet chart of the northern sky behind the greeting: circles of declination, hours, the Big Dipper and Cassiopeia. */
import type { ReactNode } from 'react';

/** Right ascension (hours), declination (degrees), visual magnitude. */
const STARS: readonly (readonly [number, number, number])[] = [
  [2.53, 89.3, 2.0],
  [11.06, 61.8, 1.8],
  [11.03, 56.4, 2.4],
  [11.9, 53.7, 2.4],
  [12.26, 57.0, 3.3],
  [12.9, 56.0, 1.8],
  [13.4, 54.9, 2.2],
  [13.79, 49.3, 1.9],
  [0.15, 59.2, 2.3],
  [0.68, 56.5, 2.2],
  [0.95, 60.7, 2.5],
  [1.43, 60.2, 2.7],
  [1.91, 63.7, 3.4],
  [5.28, 46.0, 0.1],
  [20.69, 45.3, 1.3],
  [18.62, 38.8, 0.0],
  [21.31, 62.6, 2.4],
  [14.85, 74.2, 2.1],
  [15.35, 71.8, 3.0],
  [17.94, 51.5, 2.2],
  [3.41, 49.9, 1.8],
  [5.99, 44.9, 1.9],
  [22.83, 66.2, 3.5],
  [9.55, 51.7, 3.2],
];

/** Indices into `STARS`. */
const LINES: readonly (readonly number[])[] = [
  [7, 6, 5, 4, 3, 2, 1, 4],
  [8, 9, 10, 11, 12],
];

const RADIUS = 150;
const EDGE_DECLINATION = 37;

/** North pole in the middle, as one sees it looking up. */
function project(hours: number, declination: number): readonly [number, number] {
  const distance = ((90 - declination) / (90 - EDGE_DECLINATION)) * RADIUS;
  const angle = (hours / 24) * 2 * Math.PI;
  return [160 - distance * Math.sin(angle), 160 - distance * Math.cos(angle)];
}

export function StarChart(): ReactNode {
  const hours = Array.from({ length: 12 }, (_, index) => index * 2);
  return (
    <svg className="star-chart" viewBox="0 0 320 320" aria-hidden="true" focusable="false">
      {[80, 65, 50, EDGE_DECLINATION].map((declination) => (
        <circle
          key={declination}
          className="chart-grid"
          cx="160"
          cy="160"
          r={((90 - declination) / (90 - EDGE_DECLINATION)) * RADIUS}
        />
      ))}
      {hours.map((hour) => {
        const [innerX, innerY] = project(hour, 80);
        const [outerX, outerY] = project(hour, EDGE_DECLINATION);
        return <line key={hour} className="chart-grid" x1={innerX} y1={innerY} x2={outerX} y2={outerY} />;
      })}
      {LINES.map((line) => (
        <polyline
          key={line.join()}
          className="chart-line"
          points={line.map((star) => project(STARS[star]?.[0] ?? 0, STARS[star]?.[1] ?? 90).join()).join(' ')}
        />
      ))}
      {STARS.map(([rightAscension, declination, magnitude]) => {
        const [x, y] = project(rightAscension, declination);
        const size = 1.3 + (3.6 - magnitude) * 0.95;
        return <circle key={`${rightAscension}`} className="chart-star" cx={x} cy={y} r={size} />;
      })}
    </svg>
  );
}
