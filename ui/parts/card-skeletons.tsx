import { Card, Skeleton } from "../kit/card.tsx";

/** Cards of the final size while a page of them loads: columns of twelve, pixels, and lines of each. */
export function CardSkeletons({ cards, rows }: { cards: readonly [w: number, height: number][]; rows: number }) {
  return (
    <div class="grid12">
      {cards.map(([w, height], index) => (
        <Card key={index} w={w}>
          <Skeleton rows={rows} height={height} />
        </Card>
      ))}
    </div>
  );
}
