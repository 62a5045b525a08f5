import type { Take } from "../../../kernel/http/body-budget.ts";
import { elementsOf, type XmlElement } from "../../../lib/xml.ts";
import { hrefOf, namesOf } from "./addresses.ts";
import { shownTokens } from "./conditions.ts";
import { fail } from "./contract.ts";
import { requireUnlocked } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { isLive } from "./properties.ts";
import { deleteProperty, measureDrive, measureProperties, putProperty } from "./property-store.ts";
import { XML_TYPE } from "./propfind.ts";
import { isDav, readXmlBody } from "./read-body.ts";
import { isFolder, keyOf, resolveThere } from "./resolve.ts";
import { emptyElement, leaf, tag, writeElement, xmlDocument } from "./xml-write.ts";

/** What one file or folder keeps for programs, in number and all together: a listing has that of two hundred at a time. */
const MAX_PROPERTIES = 200;
const MAX_PROPERTY_BYTES = 64 * 1024;
/** What a Drive keeps: it lies in the node's own database, and a copy of a folder has it once more. */
const MAX_DRIVE_BYTES = 64 * 1024 * 1024;

const tooMany = () =>
  fail("dav_property_limit", {
    limit: MAX_PROPERTIES,
    size_bytes: MAX_PROPERTY_BYTES,
    drive_bytes: MAX_DRIVE_BYTES,
  });

/** Refuses a change after which a Drive would keep too much. Inside its transaction. Throws `dav_property_limit`. */
export function requirePropertyRoom({ db }: Pick<Needs, "db">, userId: string): void {
  if (measureDrive(db, userId) > MAX_DRIVE_BYTES) throw tooMany();
}

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
    if (closed.length === 0)
      for (const { isSet, property } of steps) {
        const { namespace, name } = property;
        if (isSet) putProperty(needs.db, userId, { node_id, namespace, name, element: writeElement(property) });
        else deleteProperty(needs.db, userId, { node_id, namespace, name });
      }
    const { count, size_bytes } = measureProperties(needs.db, userId, node_id);
    if (count > MAX_PROPERTIES || size_bytes > MAX_PROPERTY_BYTES) throw tooMany();
    if (steps.some(({ isSet }) => isSet)) requirePropertyRoom(needs, userId);
    const said =
      closed.length === 0
        ? propstat(free, "200 OK")
        : propstat(closed, "403 Forbidden", tag("error", tag("cannot-modify-protected-property"))) +
          propstat(free, "424 Failed Dependency");
    const response = tag("response", leaf("href", hrefOf(place.names, isFolder(place))) + said);
    return new Response(xmlDocument("multistatus", response), { status: 207, headers: XML_TYPE });
  });
}
