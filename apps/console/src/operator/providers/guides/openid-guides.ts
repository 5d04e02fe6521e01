import { CALLBACK, type Guide } from "./guide";

/** Products that speak OpenID Connect, which a tenant runs or rents for its own people. */
export const OPENID_PRODUCTS = [
	"okta",
	"auth0",
	"keycloak",
	"zitadel",
	"entra",
	"google-workspace",
	"other",
] as const;

export type OpenIdProduct = (typeof OPENID_PRODUCTS)[number];

type OpenIdGuide = Guide & { name: string };

const DISCOVERY = {
	says: "the issuer is rejected when you save",
	help: "Open the issuer with `/.well-known/openid-configuration` behind it. Enter the value of `issuer` from there, with or without a slash at the end.",
};

const REDIRECT = {
	says: "the redirect URI is not valid",
	help: "It must be exactly the callback URL. It contains the id of the provider and of the tenant.",
};

export const OPENID_GUIDES: Readonly<Record<OpenIdProduct, OpenIdGuide>> = {
	okta: {
		name: "Okta",
		place: "the Okta Admin Console",
		steps: [
			"Open **Applications**, press **Create App Integration**, and choose **OIDC - OpenID Connect** and **Web Application**.",
			`As **Sign-in redirect URI**, enter ${CALLBACK}.`,
			"Under **Assignments**, choose who may sign in, and save.",
			"Copy **Client ID** and **Client secret**.",
			"Issuer: `https://acme.okta.com` with your own domain. For the default custom authorization server, add `/oauth2/default`.",
		],
		errors: [
			{
				says: "“User is not assigned to the client application”",
				help: "Assign the person or a group under **Assignments**.",
			},
			{
				says: "“Policy evaluation failed”",
				help: "The custom authorization server needs an access policy for this client.",
			},
			DISCOVERY,
			REDIRECT,
		],
	},
	auth0: {
		name: "Auth0",
		place: "the Auth0 dashboard",
		url: "https://manage.auth0.com",
		steps: [
			"Open **Applications**, press **Create Application**, and choose **Regular Web Applications**.",
			`Open **Settings**, enter ${CALLBACK} under **Allowed Callback URLs**, and save.`,
			"Copy **Client ID** and **Client Secret** from the same page.",
			"Issuer: `https://acme.eu.auth0.com/` with your own domain, and with the slash at the end.",
		],
		errors: [
			{ says: "“Callback URL mismatch”", help: "Add exactly the callback URL, and save." },
			DISCOVERY,
		],
	},
	keycloak: {
		name: "Keycloak",
		place: "the admin console of Keycloak",
		steps: [
			"Choose the realm, open **Clients**, and press **Create client** with the type OpenID Connect.",
			"Turn **Client authentication** on, and leave only **Standard flow** on.",
			`Under **Valid redirect URIs**, enter ${CALLBACK}, and save.`,
			"Copy the **Client ID**, and the **Client Secret** from the tab **Credentials**.",
			"Issuer: `https://sso.example.com/realms/acme` with your own host and realm. Upper and lower case matter.",
		],
		errors: [
			{ says: "“Invalid parameter: redirect_uri”", help: REDIRECT.help },
			{
				says: "`unauthorized_client`",
				help: "The secret is wrong, or Client authentication or the Standard flow is off.",
			},
			DISCOVERY,
		],
	},
	zitadel: {
		name: "ZITADEL",
		place: "the ZITADEL console",
		steps: [
			"Open a project, and add an application of the type **Web**.",
			"As authentication method, choose **Code**, so that the application has a secret.",
			`Under **Redirect URIs**, enter ${CALLBACK}. For a URL without https, turn on the development mode.`,
			"Copy **Client ID** and **Client Secret**: the secret is not shown again.",
			"Issuer: `https://acme.zitadel.cloud` with your own instance, or your own domain.",
		],
		errors: [
			{
				says: "the email is missing",
				help: "Turn on **User Info inside ID Token** in the token settings of the application.",
			},
			DISCOVERY,
			REDIRECT,
		],
	},
	entra: {
		name: "Microsoft Entra ID",
		place: "the Microsoft Entra admin center",
		url: "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
		steps: [
			"Open **App registrations**, press **New registration**, and choose accounts of this directory only.",
			`Under **Redirect URI**, choose the platform **Web** and enter ${CALLBACK}. Press **Register**.`,
			"Copy **Application (client) ID** into Client ID.",
			"Open **Certificates & secrets**, press **New client secret**, and copy its **Value** at once.",
			"Issuer: `https://login.microsoftonline.com/`, the **Directory (tenant) ID**, and `/v2.0`.",
			"Open **Token configuration** and add the optional claim `email` to the ID token.",
		],
		errors: [
			{ says: "`AADSTS50011`", help: REDIRECT.help },
			{
				says: "`AADSTS7000215`",
				help: "The secret is wrong. Often its ID was copied in place of its value.",
			},
			{
				says: "the email is missing",
				help: 'Add the optional claim, or enter `{ "email": "preferred_username" }` as Claims.',
			},
			DISCOVERY,
		],
	},
	"google-workspace": {
		name: "Google Workspace",
		place: "the Google Cloud console",
		url: "https://console.cloud.google.com/auth/clients",
		steps: [
			"Choose a project of your organization, and set the audience of its app to **Internal**.",
			"Open **Clients**, press **Create client**, and choose **Web application**.",
			`Under **Authorized redirect URIs**, add ${CALLBACK}.`,
			"Copy **Client ID** and **Client secret**: the secret is not shown again.",
			"Issuer: `https://accounts.google.com`.",
			"With the built-in provider Google and its setting for a Workspace domain, the domain is checked here too. Prefer it, unless you need several.",
		],
		errors: [
			{ says: "`redirect_uri_mismatch`", help: REDIRECT.help },
			{ says: "`org_internal`", help: "The account is not one of your organization." },
		],
	},
	other: {
		name: "Another provider",
		place: "the admin pages of the provider",
		steps: [
			"Create a client for a web app that uses the authorization code flow and has a secret.",
			`Enter ${CALLBACK} as the redirect URI.`,
			"Allow the scopes `openid`, `profile` and `email`.",
			"Copy the client ID and the client secret into the fields below.",
			"Enter the issuer. Its discovery document must be public.",
		],
		errors: [
			DISCOVERY,
			REDIRECT,
			{
				says: "the email is missing",
				help: 'Name the right claim under Claims, for example `{ "email": "upn" }`.',
			},
		],
	},
};

/** The product that the end of a provider's id or its issuer suggests. */
export function findProduct(providerId: string, issuer = ""): OpenIdProduct {
	const text = `${providerId} ${issuer}`.toLowerCase();
	const hints: [OpenIdProduct, RegExp][] = [
		["okta", /okta/],
		["auth0", /auth0/],
		["zitadel", /zitadel/],
		["keycloak", /keycloak|\/realms\//],
		["entra", /entra|microsoft/],
		["google-workspace", /google/],
	];
	return hints.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
}
