import { inflateRawSync } from "node:zlib";
import { IdentityProvider, ServiceProvider } from "samlify";
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
	const respond = async (app: SamlApp, email: string, id?: string): Promise<string> => {
		const request: Record<string, string> = id ? { id } : {};
		return (
			await idp.createLoginResponse(serviceProvider(app), { extract: { request } }, "post", {
				email,
			})
		).context;
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
		async answer(url: string, email: string): Promise<SamlForm> {
			const { id, relayState, ...app } = readSamlRequest(url);
			const SAMLResponse = await respond(app, email, id);
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
