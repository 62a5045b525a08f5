import { Card, Skeleton } from "../kit/card.tsx";

/** Placeholders for cards while they load; each is its width in columns of twelve, its height in pixels and its number of lines. */
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
