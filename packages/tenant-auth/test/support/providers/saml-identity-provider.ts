import { inflateRawSync } from "node:zlib";
import { IdentityProvider, SamlLib, ServiceProvider } from "samlify";
import { generate } from "selfsigned";

const POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/** What the identity provider knows about the app: its entity id, and where it takes messages. */
export interface SamlApp {
	audience: string;
	acs: string;
	slo?: string;
}

/** A message that the browser takes to the app, in a form. */
export interface SamlForm {
	SAMLResponse: string;
	RelayState?: string;
}

const serviceProvider = ({ audience, acs, slo }: SamlApp) =>
	ServiceProvider({
		entityID: audience,
		wantAssertionsSigned: true,
		assertionConsumerService: [{ Binding: POST, Location: acs }],
		...(slo
			? { singleLogoutService: [POST, REDIRECT].map((Binding) => ({ Binding, Location: slo })) }
			: {}),
	});

/** What the app tells its identity providers, if it writes its metadata itself. */
export const makeServiceProviderMetadata = (app: SamlApp) => serviceProvider(app).getMetadata();

/** A request of the app, as the browser brings it in a URL. */
export function readSamlRequest(url: string) {
	const { searchParams } = new URL(url);
	const xml = inflateRawSync(Buffer.from(searchParams.get("SAMLRequest") ?? "", "base64"));
	const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(String(xml))?.[1];
	return {
		id: String(attribute("ID")),
		acs: String(attribute("AssertionConsumerServiceURL")),
		audience: String(/Issuer[^>]*>([^<]*)</.exec(String(xml))?.[1]),
		relayState: searchParams.get("RelayState") ?? undefined,
	};
}

/** What an assertion says about a person. */
type Attributes = Readonly<Record<string, readonly string[]>>;

type ResponseValues = { audience: string; acs: string; id: string; email: string; issuer: string };

/** Fills the template of the library, which does not fill it if it gets attributes of our own. */
function withAttributes(template: string, attributes: Attributes, values: ResponseValues) {
	const { audience, acs, id, email, issuer } = values;
	const now = new Date();
	const end = new Date(now.getTime() + 5 * 60_000).toISOString();
	const statements = Object.entries(attributes).map(([name, texts]) => {
		const all = texts.map((text) => `<saml:AttributeValue>${text}</saml:AttributeValue>`);
		return `<saml:Attribute Name="${name}">${all.join("")}</saml:Attribute>`;
	});
	const context = SamlLib.replaceTagsByValue(
		template.replace(
			"{AttributeStatement}",
			`<saml:AttributeStatement>${statements.join("")}</saml:AttributeStatement>`,
		),
		{
			ID: `_${crypto.randomUUID()}`,
			AssertionID: `_${crypto.randomUUID()}`,
			Destination: acs,
			Audience: audience,
			SubjectRecipient: acs,
			Issuer: issuer,
			IssueInstant: now.toISOString(),
			StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
			ConditionsNotBefore: now.toISOString(),
			ConditionsNotOnOrAfter: end,
			SubjectConfirmationDataNotOnOrAfter: end,
			NameIDFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
			NameID: email,
			InResponseTo: id,
			AuthnStatement: "",
		},
	);
	return { id, context };
}

/**
 * A real SAML identity provider, with its own key. It signs assertions for anybody, without a login
 * page: which person signs in is up to the test.
 */
export async function makeSamlIdentityProvider(
	name: string,
	{ signature = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256" } = {},
) {
	const entityID = `https://${name}.example.com`;
	const { cert, private: privateKey } = await generate([{ name: "commonName", value: name }], {
		keyType: "rsa",
		keySize: 2048,
		algorithm: "sha256",
	});
	const at = (path: string) =>
		[REDIRECT, POST].map((Binding) => ({ Binding, Location: `${entityID}${path}` }));
	const idp = IdentityProvider({
		entityID,
		signingCert: cert,
		privateKey,
		requestSignatureAlgorithm: signature,
		nameIDFormat: ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
		singleSignOnService: at("/sso"),
		singleLogoutService: at("/slo"),
	});
	const respond = async (
		app: SamlApp,
		email: string,
		id?: string,
		attributes: Attributes = {},
	): Promise<string> => {
		const request: Record<string, string> = id ? { id } : {};
		const info = { extract: { request } };
		const values = { ...app, id: id ?? "", email, issuer: entityID };
		// The library writes no attribute with several values.
		const write =
			Object.keys(attributes).length > 0
				? (template: string) => withAttributes(template, attributes, values)
				: undefined;
		const user = { email };
		return (await idp.createLoginResponse(serviceProvider(app), info, "post", user, write)).context;
	};
	return {
		entityID,
		/** The settings of a provider in the app, for `/sso/register`. */
		config: {
			entryPoint: `${entityID}/sso`,
			wantAssertionsSigned: true,
			idpMetadata: { metadata: idp.getMetadata() },
			mapping: { email: "email", name: "displayName" },
		},
		/** Signs a person in, for the request of the app in this URL. */
		async answer(url: string, email: string, attributes?: Attributes): Promise<SamlForm> {
			const { id, relayState, ...app } = readSamlRequest(url);
			const SAMLResponse = await respond(app, email, id, attributes);
			return relayState ? { SAMLResponse, RelayState: relayState } : { SAMLResponse };
		},
		/** Signs a person in to an app that did not ask for it. */
		async start(app: SamlApp, email: string): Promise<SamlForm> {
			return { SAMLResponse: await respond(app, email) };
		},
		/** Tells the app that it has signed a person out, as the request in this URL asked. */
		confirmLogout(app: SamlApp, url: string, binding: "post" | "redirect"): string {
			const request = { extract: { request: { id: readSamlRequest(url).id } } };
			return idp.createLogoutResponse(serviceProvider(app), request, binding).context;
		},
		/** Tells the app to sign a person out. */
		requestLogout(app: SamlApp, email: string, binding: "post" | "redirect"): string {
			const user = { logoutNameID: email };
			return idp.createLogoutRequest(serviceProvider(app), binding, user).context;
		},
	};
}

export type SamlIdentityProvider = Awaited<ReturnType<typeof makeSamlIdentityProvider>>;
