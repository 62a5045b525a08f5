import type { Take } from "../../../kernel/http/body-budget.ts";
import { elementsOf, type XmlElement } from "../../../lib/xml.ts";
import { hrefOf, namesOf } from "./addresses.ts";
import { shownTokens } from "./conditions.ts";
import { fail } from "./contract.ts";
import { requireUnlocked } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { isLive } from "./properties.ts";
import { requireFew, requireRoom, requireWithin } from "./property-room.ts";
import { deleteProperty, findSum, putProperty } from "./property-store.ts";
import { XML_TYPE } from "./propfind.ts";
import { isDav, readXmlBody } from "./read-body.ts";
import { isFolder, keyOf, resolveThere } from "./resolve.ts";
import { emptyElement, leaf, tag, writeElement, xmlDocument } from "./xml-write.ts";

interface Step {
  isSet: boolean;
  property: XmlElement;
}

/** What is to be set and removed, in the order of the document; languages hold for what is in them. */
function stepsOf(body: XmlElement): Step[] {
  return elementsOf(body).flatMap((part) => {
    if (!isDav(part, "set") && !isDav(part, "remove")) return [];
    const isSet = isDav(part, "set");
    return elementsOf(part)
      .filter((inner) => isDav(inner, "prop"))
      .flatMap((prop) =>
        elementsOf(prop).map((property) => ({ isSet, property: withLanguage(property, [prop, part, body]) })),
      );
  });
}

/** Of steps about the same property the last one, which is what remains of them. */
const lastOfEach = (steps: readonly Step[]): Step[] => [
  ...new Map(steps.map((step) => [`${step.property.namespace} ${step.property.name}`, step])).values(),
];

const languageOf = ({ attributes }: XmlElement) =>
  attributes.find(({ name, namespace }) => name === "lang" && namespace.endsWith("/XML/1998/namespace"));

/** A property with the language that it is in, where an element around it says so. */
function withLanguage(property: XmlElement, around: readonly XmlElement[]): XmlElement {
  const language = around.map(languageOf).find((found) => found !== undefined);
  if (language === undefined || languageOf(property) !== undefined) return property;
  return { ...property, attributes: [...property.attributes, language] };
}

const propstat = (properties: readonly XmlElement[], status: string, error = ""): string =>
  properties.length === 0
    ? ""
    : tag(
        "propstat",
        tag("prop", properties.map(({ namespace, name }) => emptyElement(namespace, name)).join("")) +
          leaf("status", `HTTP/1.1 ${status}`) +
          error,
      );

/**
 * Sets and removes what programs keep with a file or folder, all of it or nothing. Throws `dav_not_found`, `dav_xml_invalid`,
 * `dav_locked`, `dav_property_limit`.
 */
export async function answerProppatch(needs: Needs, asked: Asked, take: Take): Promise<Response> {
  const userId = asked.by.user_id;
  const body = await readXmlBody(asked.body, take);
  if (body === null || !isDav(body, "propertyupdate"))
    throw fail("dav_xml_invalid", { reason: "it does not say which properties change" });
  const steps = stepsOf(body);
  const closed = steps.filter(({ property }) => isLive(property)).map(({ property }) => property);
  const free = steps.filter(({ property }) => !isLive(property)).map(({ property }) => property);
  return needs.db.tx(() => {
    const place = resolveThere(needs, userId, namesOf(asked.path));
    requireUnlocked(needs, userId, place, shownTokens(needs, asked), { self: true });
    const node_id = keyOf(place);
    const last = closed.length === 0 ? lastOfEach(steps) : [];
    // Before any of it is written: thousands fit into one request.
    requireFew(last.filter(({ isSet }) => isSet).length);
    const before = findSum(needs.db, userId);
    if (closed.length === 0)
      for (const { isSet, property } of last) {
        const { namespace, name } = property;
        if (isSet) putProperty(needs.db, userId, { node_id, namespace, name, element: writeElement(property) });
        else deleteProperty(needs.db, userId, { node_id, namespace, name });
      }
    requireWithin(needs, userId, node_id);
    requireRoom(before, findSum(needs.db, userId) - before);
    const said =
      closed.length === 0
        ? propstat(free, "200 OK")
        : propstat(closed, "403 Forbidden", tag("error", tag("cannot-modify-protected-property"))) +
          propstat(free, "424 Failed Dependency");
    const response = tag("response", leaf("href", hrefOf(place.names, isFolder(place))) + said);
    return new Response(xmlDocument("multistatus", response), { status: 207, headers: XML_TYPE });
  });
}
