/** The data of a service that has been in use for some time. */
export const tenants = [
	{ name: "Acme Robotics", slug: "acme", primaryColor: "#0f766e" },
	{ name: "Bluebird Airlines", slug: "bluebird", primaryColor: "#1d4ed8" },
	{ name: "Café Zoë & Sons", slug: "cafe-zoe-sons", primaryColor: "#b45309" },
	{ name: "Delta Freight", slug: "delta-freight", primaryColor: "#334155" },
	{ name: "Evergreen Schools", slug: "evergreen", primaryColor: "#15803d" },
	{ name: "Fjord Energy", slug: "fjord", primaryColor: "#0369a1" },
	{ name: "Harbor Hospitals", slug: "harbor", primaryColor: "#be123c" },
	{ name: "Kiwi Games", slug: "kiwi-games", primaryColor: "#a3e635" },
	{ name: "Lumen Press", slug: "lumen", primaryColor: "#facc15" },
	{ name: "Northwind Traders", slug: "northwind", primaryColor: "#7c3aed" },
	{ name: "Oak & Ivy Wealth", slug: "oak-and-ivy", primaryColor: "#3f6212" },
	{
		name: "Städtische Verkehrsbetriebe Mittelland-Nord Aktiengesellschaft",
		slug: "staedtische-verkehrsbetriebe-mittelland-nord-ag",
		primaryColor: "#9f1239",
	},
	{ name: "Zephyr", slug: "zephyr", primaryColor: "#0e7490" },
];

export const acmeBranding = {
	logoUrl: "https://acme.example/logo.svg",
	primaryColor: "#0f766e",
	tagline: "Robots that hand you the right tool",
	supportEmail: "help@acme.example",
	termsUrl: "https://acme.example/terms",
	privacyUrl: "https://acme.example/privacy",
};

export const acmeLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="12" fill="#0f766e"/><path d="M24 9 38 38h-7l-2.6-6h-9L17 38h-7Zm0 11.500-2.600 6.500h5.200Z" fill="#fff"/><circle cx="24" cy="9" r="3" fill="#5eead4"/></svg>`;

export const people = [
	"Mara Lindqvist",
	"Ada Okafor",
	"Benedikt Schultheiss",
	"Chidi Anagonye",
	"Daniela Ferreira",
	"Eun-ji Park",
	"Farid Rahimi",
	"Grace Holloway",
	"Hiroshi Tanaka",
	"Ines Moreau",
	"Jonas Bergström",
	"Katarzyna Wiśniewska",
	"Liam O'Sullivan",
	"Maximiliane Freifrau von Hohenstein-Waldburg",
];

export const emailOf = (name: string) =>
	`${name
		.normalize("NFKD")
		.replace(/[^A-Za-z -]/g, "")
		.toLowerCase()
		.replaceAll(" ", ".")}@acme.example`;

export const browsers = [
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
];

export const acmeProviders = [
	{
		providerId: "google",
		clientId: "408155-acme.apps.googleusercontent.com",
		options: { hd: "acme.example" },
	},
	{
		providerId: "gitlab",
		clientId: "9b1f0c6c2f7e4d51",
		options: { issuer: "https://git.acme.example" },
	},
	{ providerId: "slack", clientId: "2210535565.4403", enabled: false },
];

export const acmeApplications = [
	{
		name: "Fleet dashboard",
		type: "web",
		redirectUris: ["https://fleet.acme.example/callback"],
		postLogoutRedirectUris: ["https://fleet.acme.example/"],
		firstParty: true,
	},
	{
		name: "Robot arm simulator",
		type: "spa",
		redirectUris: ["https://simulator.acme.example/signed-in"],
		allowedOrigins: ["https://simulator.acme.example"],
	},
	{ name: "Field app", type: "native", redirectUris: ["com.acme.field:/callback"] },
	{ name: "Nightly export", type: "machine" },
];

/** An identity provider whose metadata URL has a problem. */
export const samlConnection = {
	emailDomains: ["acme.example"],
	identityProvider: {
		entityId: "http://www.okta.com/exk1fxp4",
		signInUrl: "https://acme.okta.com/app/acme/exk1fxp4/sso/saml",
		certificates: [
			{
				fingerprint: Array.from({ length: 32 }, (_, index) => (index * 7 + 16).toString(16))
					.join(":")
					.toUpperCase(),
				expiresAt: "2031-05-02T09:00:00.000Z",
			},
		],
		attributes: { role: "groups" },
		roles: { "App Admins": "admin" },
		metadataUrl: "https://acme.okta.com/app/exk1fxp4/sso/saml/metadata",
		load: {
			checkedAt: "2026-11-17T06:00:00.000Z",
			problem: {
				code: "SAML_METADATA_UNREACHABLE",
				message: "The metadata could not be loaded",
				since: "2026-11-15T06:00:00.000Z",
			},
		},
	},
};

export const samlTest = {
	ok: false,
	steps: [
		{ name: "metadata", state: "failed", message: "The metadata could not be loaded" },
		{
			name: "certificate",
			state: "passed",
			message: "The certificate is valid for 1626 more days",
		},
		{
			name: "domain",
			state: "passed",
			message: "People with an email of acme.example can sign in",
		},
		{ name: "sign-in-url", state: "passed", message: "The sign-in URL responds" },
		{ name: "clock", state: "unknown", message: "The identity provider does not tell its time" },
	],
};
