import { liveForAll, onRecord } from "../../event-lines.ts";
import type { EventMeanings, NameOf, TimelineLine } from "../../event-meaning.ts";
import type { ContainerEvents } from "./contract.ts";

const ofContainer = onRecord<{ container_id: string; ip: string }>(({ container_id }) => `container:${container_id}`);

/** Told to admins, who alone may look at the page it leads to in full. */
const told =
  <Data extends { user_id: string }>(tab: string, words: (data: Data) => string) =>
  (data: Data, nameOf: NameOf): TimelineLine => ({
    category: "app",
    severity: "info",
    title: `${nameOf(data.user_id)} ${words(data)}`,
    link: `/containers${tab}`,
  });

const few = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");

function newerTitle(images: ContainerEvents["image.newer"]["images"]): string {
  const [first] = images;
  if (images.length > 1 || !first) return `There are newer images of ${few(images.map(({ image }) => image))}`;
  return `There is a newer image of ${first.image} than ${few(first.containers)} ${first.containers.length === 1 ? "runs" : "run"}`;
}

export const containerMeanings: EventMeanings<ContainerEvents> = {
  "container.made": {
    audit: ofContainer,
    timeline: told("", ({ name, image }) => `ran ${image} as the container ${name}`),
  },
  "container.started": { audit: ofContainer, timeline: told("", ({ name }) => `started the container ${name}`) },
  "container.stopped": { audit: ofContainer, timeline: told("", ({ name }) => `stopped the container ${name}`) },
  "container.restarted": { audit: ofContainer, timeline: told("", ({ name }) => `restarted the container ${name}`) },
  "container.removed": { audit: ofContainer, timeline: told("", ({ name }) => `removed the container ${name}`) },
  "image.pulled": {
    audit: onRecord(({ image }) => `image:${image}`),
    timeline: told("?tab=images", ({ image }) => `pulled the image ${image}`),
  },
  "image.pull_cancelled": {
    audit: onRecord(({ image }) => `image:${image}`),
    timeline: told("?tab=images", ({ image }) => `cancelled the pull of the image ${image}`),
  },
  "image.removed": {
    audit: onRecord(({ images }) => `image:${images[0] ?? ""}`),
    timeline: told("?tab=images", ({ images }) => `removed the image${images.length === 1 ? "" : "s"} ${few(images)}`),
  },
  "image.newer": {
    timeline: ({ images }) => ({
      category: "update",
      severity: "info",
      title: newerTitle(images),
      link: "/containers?tab=images",
      isInbox: true,
    }),
  },
  "volume.removed": {
    audit: onRecord(({ name }) => `volume:${name}`),
    timeline: told("?tab=volumes", ({ name }) => `removed the volume ${name} with its data`),
  },
  "network.removed": {
    audit: onRecord(({ name }) => `network:${name}`),
    timeline: told("?tab=networks", ({ name }) => `removed the network ${name}`),
  },
  "containers.changed": { live: liveForAll },
};
