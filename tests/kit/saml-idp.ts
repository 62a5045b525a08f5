import { createRequire } from "node:module";
import { makeOwnKey } from "../../src/panel/people/sso/saml/own-key.ts";
import type { SamlAnswer, SamlPerson } from "./saml-forger.ts";

/** A provider of SAML on loopback by somebody else's program, which signs everybody in as whom they say. */
export interface SamlIdp {
  issuer: string;
  metadata_url: string;
  /** Who there is, by the name they sign in with; may change while it runs. */
  people: Map<string, SamlPerson>;
  metadata(): string;
  /** Tells it of a program that people sign in to, by that one's metadata. */
  register(metadata: string, more?: { encrypts?: boolean }): void;
  signIn(url: string, login: string): Promise<SamlAnswer>;
  close(): Promise<void>;
}

interface Described {
  getEntityID(): string;
  getMetadata(): string;
  getAssertionConsumerService(binding: string): string;
  isAuthnRequestSigned(): boolean;
}

interface Program {
  entityMeta: Described;
}

interface Provider {
  getMetadata(): string;
  parseLoginRequest(of: Program, binding: string, asked: object): Promise<{ extract: { request: { id: string } } }>;
  createLoginResponse(
    of: Program,
    asked: object,
    binding: string,
    user: object,
    fill: (template: string) => { id: string; context: string },
    encryptThenSign: boolean,
  ): Promise<{ context: string }>;
}

/** As much of it as is used here; its own types bring along those of browsers, which would hold for the whole tree. */
interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  ServiceProvider(settings: object): Program;
  IdentityProvider(settings: object): Provider;
  SamlLib: { replaceTagsByValue(template: string, values: Record<string, string>): string };
}

const require = createRequire(import.meta.url);
const samlify = require("samlify") as Samlify;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
const PAGE = `<!doctype html><title>Provider</title><form method="post"><input name="login"><input name="password" type="password"><button type="submit">Sign in</button></form>`;

function attributesOf({ attributes }: SamlPerson): string {
  const written = Object.entries(attributes).map(([name, values]) => {
    const each = values.map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`).join("");
    return `<saml:Attribute Name="${escaped(name)}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic">${each}</saml:Attribute>`;
  });
  return `<saml:AttributeStatement>${written.join("")}</saml:AttributeStatement>`;
}

/** Starts one. */
export async function startSamlIdp(): Promise<SamlIdp> {
  samlify.setSchemaValidator({ validate: async () => "not looked at" });
  const key = makeOwnKey(Date.now());
  const people = new Map<string, SamlPerson>();
  let program: Program | null = null;
  let encrypts = false;

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (url.pathname === "/metadata") return new Response(made.metadata());
      if (request.method === "GET") return new Response(PAGE, { headers: { "content-type": "text/html" } });
      const login = new URLSearchParams(await request.text()).get("login") ?? "";
      const { acs, form } = await made.signIn(request.url, login);
      const fields = Object.entries(form).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
      );
      const page = `<!doctype html><form method="post" action="${escaped(acs)}">${fields.join("")}</form><script>document.forms[0].submit()</script>`;
      return new Response(page, { headers: { "content-type": "text/html" } });
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  // To browsers it is another site than a panel that they know by its address: cookies stay at home as they do in the world.
  const signOnOrigin = `http://localhost:${server.port}`;

  const provider = () =>
    samlify.IdentityProvider({
      ...{ entityID: `${origin}/metadata`, signingCert: key.certificate, privateKey: key.private_key },
      ...{ isAssertionEncrypted: encrypts, nameIDFormat: ["urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"] },
      wantAuthnRequestsSigned: program?.entityMeta.isAuthnRequestSigned() ?? false,
      requestSignatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
      singleSignOnService: [{ Binding: REDIRECT, Location: `${signOnOrigin}/sso` }],
      singleLogoutService: [{ Binding: REDIRECT, Location: `${signOnOrigin}/logout` }],
    });

  const made: SamlIdp = {
    ...{ issuer: `${origin}/metadata`, metadata_url: `${origin}/metadata`, people },
    metadata: () => provider().getMetadata(),
    register(metadata, more = {}) {
      encrypts = more.encrypts ?? false;
      // What it encrypts proves nothing by itself, so the whole of it is signed then.
      program = samlify.ServiceProvider({ metadata, wantMessageSigned: encrypts });
    },
    async signIn(url, login) {
      if (program === null) throw new Error("nobody has registered");
      const { search, searchParams } = new URL(url);
      const own = provider();
      const query = Object.fromEntries(searchParams);
      const signed = /SAMLRequest=[^&]*&RelayState=[^&]*&SigAlg=[^&]*/.exec(search)?.[0] ?? "";
      const asked = await own.parseLoginRequest(program, "redirect", { query, octetString: signed });
      const person = people.get(login) ?? { name_id: login, attributes: {} };
      const fill = (template: string) => {
        const now = new Date().toISOString();
        const until = new Date(Date.now() + 300_000).toISOString();
        const acs = program?.entityMeta.getAssertionConsumerService("post") ?? "";
        const values = {
          ...{
            ID: `_${crypto.randomUUID()}`,
            AssertionID: `_${crypto.randomUUID()}`,
            IssueInstant: now,
            Destination: acs,
          },
          ...{ InResponseTo: asked.extract.request.id, Issuer: made.issuer, SubjectRecipient: acs },
          ...{ StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success", NameID: person.name_id },
          ...{ NameIDFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent", ConditionsNotBefore: now },
          ...{ ConditionsNotOnOrAfter: until, SubjectConfirmationDataNotOnOrAfter: until, AuthnStatement: "" },
          Audience: program?.entityMeta.getEntityID() ?? "",
        };
        const plain = template.replace("{AttributeStatement}", attributesOf(person));
        return { id: values.ID, context: samlify.SamlLib.replaceTagsByValue(plain, values) };
      };
      const answer = await own.createLoginResponse(program, asked, "post", {}, fill, encrypts);
      const acs = program.entityMeta.getAssertionConsumerService("post");
      return { acs, form: { SAMLResponse: answer.context, RelayState: query["RelayState"] ?? "" } };
    },
    close: () => server.stop(true),
  };
  return made;
}
