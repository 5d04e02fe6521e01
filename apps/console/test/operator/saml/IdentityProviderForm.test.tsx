// @vitest-environment happy-dom
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SamlConnection } from "../../../src/operator/api/saml";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { identityProvider, saml, samlByUrl, samlWithout } from "../../support/fixtures/saml";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { byLabel, byRole, findTexts } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const GET = "GET /tenant/saml/get";
const SET = "POST /tenant/saml/set";

const XML =
	'<EntityDescriptor entityID="https://idp.example.com"><IDPSSODescriptor /></EntityDescriptor>';
const METADATA = "Metadata of the identity provider";

const options = { "GET /tenant/login-options": json({ ...loginOptions, methods: ["sso"] }) };

/** The page asks again after it has saved. */
const open = (handlers: Handlers) =>
	openConsole("/tenants/tenant-acme/saml", { [GET]: json(samlWithout), ...options, ...handlers });

const conflict = {
	"a tenant without an email domain": {
		answer: refuse(409, "SAML_NEEDS_EMAIL_DOMAIN", "Verify an email domain of the tenant first"),
		shows: ["Verify an email domain of the tenant first"],
	},
	"metadata without a certificate": {
		answer: refuse(
			400,
			"INVALID_SAML_METADATA",
			"The metadata cannot be used. It has no certificate",
		),
		shows: ["The metadata cannot be used. It has no certificate"],
	},
};

const URL_FIELD = "Metadata URL of the identity provider";

describeFormStates("the form with the metadata URL of an identity provider", {
	open,
	request: SET,
	fill: async () => {
		await type(URL_FIELD, " https://idp.example.com/metadata?a=1 ");
		await type("Attribute with the name", "fullName");
	},
	submit: "Save identity provider",
	valid: {
		answer: json(samlByUrl()),
		sends: {
			tenantId: "tenant-acme",
			metadataUrl: "https://idp.example.com/metadata?a=1",
			attributes: { name: "fullName" },
			roles: {},
		},
		shows: ["The identity provider was saved."],
	},
	invalid: {
		"no URL": { change: () => type(URL_FIELD, ""), field: URL_FIELD },
		"a text that is no URL": { change: () => type(URL_FIELD, "idp"), field: URL_FIELD },
	},
	conflict: {
		...conflict,
		"a URL that does not respond": {
			answer: refuse(502, "SAML_METADATA_UNREACHABLE", "The metadata could not be loaded."),
			shows: ["The metadata could not be loaded."],
		},
		"a private address": {
			answer: refuse(400, "INVALID_SAML_METADATA_URL", "The metadata URL must be an https URL"),
			shows: ["The metadata URL must be an https URL"],
		},
	},
	keeps: { "Attribute with the name": "fullName" },
});

describe("a change of an identity provider with a metadata URL", () => {
	const change = async (connection: SamlConnection) => {
		const server = await open({ [GET]: json(connection), [SET]: json(connection) });
		await click("Change");
		const dialog = byRole("dialog", "Change the identity provider");
		expect(byLabel(URL_FIELD, dialog).value).toBe("https://idp.example.com/metadata");
		await click("Save identity provider");
		await findTexts("The identity provider was saved.");
		return server.sent(SET)[0]?.body;
	};

	test("does not need the URL to respond", async () => {
		expect(await change(samlByUrl())).not.toHaveProperty("metadataUrl");
	});

	test("loads the URL if it had a problem", async () => {
		const since = "2026-11-15T06:00:00.000Z";
		const problem = { code: "SAML_ENTITY_ID_CHANGED", message: "Another one", since };
		expect(await change(samlByUrl(problem))).toMatchObject({
			metadataUrl: "https://idp.example.com/metadata",
		});
	});
});

describeFormStates("the form with the metadata of an identity provider", {
	open: async (handlers) => {
		const server = await open(handlers);
		await choose("What you have", "Metadata (XML)");
		return server;
	},
	request: SET,
	fill: async () => {
		await type(METADATA, ` ${XML}\n`);
		await type("Attribute with the name", "fullName");
	},
	submit: "Save identity provider",
	valid: {
		answer: json(saml),
		sends: { tenantId: "tenant-acme", metadata: XML, attributes: { name: "fullName" }, roles: {} },
		shows: ["The identity provider was saved."],
	},
	invalid: {
		"no metadata": { change: () => type(METADATA, ""), field: METADATA },
		"a URL": {
			change: () => type(METADATA, "https://idp.example.com/metadata"),
			shows: ["This is a URL. Choose “Metadata URL” above."],
		},
		"metadata of something else": {
			change: () => type(METADATA, "<EntityDescriptor><SPSSODescriptor/></EntityDescriptor>"),
			shows: ["This is not the metadata of a SAML identity provider."],
		},
	},
	conflict,
	keeps: { [METADATA]: ` ${XML}\n`, "Attribute with the name": "fullName" },
});

const PEM = "-----BEGIN CERTIFICATE-----\n1234\n5678=\n-----END CERTIFICATE-----\n";

const WRITTEN = [
	'<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="urn:a&amp;b">',
	'<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
	'<KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>12345678=</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>',
	'<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso?a=1&amp;b=%27"/>',
	"</IDPSSODescriptor></EntityDescriptor>",
].join("");

describeFormStates("the form with the values of an identity provider, for an owner", {
	open: async (handlers) => {
		const handled = { [GET]: json(samlWithout), ...options, ...handlers };
		const server = await openAdminPage("/saml", handled);
		await choose("What you have", "URL, entity ID and certificate");
		return server;
	},
	request: SET,
	fill: async () => {
		await type("Sign-in URL", "https://idp.example.com/sso?a=1&b='");
		await type("Entity ID of the identity provider", " urn:a&b ");
		await type("Certificate", PEM);
		await type("Attribute with the email", "mail");
	},
	submit: "Save identity provider",
	valid: {
		answer: json(saml),
		sends: {
			tenantId: "tenant-acme",
			metadata: WRITTEN,
			attributes: { email: "mail" },
			roles: {},
		},
		shows: ["The identity provider was saved."],
	},
	invalid: {
		"a sign-in URL that is none": {
			change: () => type("Sign-in URL", "idp"),
			field: "Sign-in URL",
		},
		"an empty entity ID": {
			change: () => type("Entity ID of the identity provider", ""),
			field: "Entity ID of the identity provider",
		},
		"no certificate": { change: () => type("Certificate", ""), field: "Certificate" },
		"a private key": {
			change: () => type("Certificate", `${PEM}-----BEGIN PRIVATE KEY-----`),
			shows: ["This has a private key. Enter the certificate only."],
		},
		"a certificate that is none": {
			change: () => type("Certificate", "81:11:B2"),
			shows: ["This is not a certificate in PEM format."],
		},
	},
	conflict,
	keeps: { "Sign-in URL": "https://idp.example.com/sso?a=1&b='", Certificate: PEM },
});

const GROUPS = "Attribute with the groups";
const ROLES = "Role of each group";

describeFormStates("the form that changes an identity provider", {
	open: async (handlers) => {
		const server = await open({ [GET]: json(saml), ...handlers });
		await click("Change");
		return server;
	},
	request: SET,
	dialog: "Change the identity provider",
	fill: () => type(ROLES, "App Admins = admin\n\n a = b = member \n"),
	submit: "Save identity provider",
	valid: {
		answer: json(saml),
		// The metadata and the attributes that are saved stay.
		sends: {
			tenantId: "tenant-acme",
			attributes: identityProvider.attributes,
			roles: { "App Admins": "admin", "a = b": "member" },
		},
		shows: ["The identity provider was saved."],
	},
	invalid: {
		"a group without a role": {
			change: () => type(ROLES, "App Admins"),
			shows: ["Each line needs a group and a role, such as: App Admins = admin"],
		},
		"roles without an attribute": {
			change: () => type(GROUPS, ""),
			shows: ["Also enter the attribute with the groups."],
		},
		"an attribute without roles": {
			change: () => type(ROLES, ""),
			shows: ["Enter at least one group and its role."],
		},
		"metadata of something else": {
			change: () => type(METADATA, "<EntityDescriptor/>"),
			shows: ["This is not the metadata of a SAML identity provider."],
		},
	},
	conflict,
	keeps: { "Attribute with the name": "fullName", [GROUPS]: "groups" },
});

test("an error that appears while somebody types is in view, and not below the buttons", async () => {
	const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
	onTestFinished(() => scroll.mockRestore());
	await open({ [GET]: json(saml) });
	await click("Change");
	const scrolled = () => scroll.mock.contexts.map((element) => (element as Element).textContent);
	const error = "Each line needs a group and a role, such as: App Admins = admin";
	expect(scrolled()).not.toContain(error);
	byLabel(ROLES).focus();
	await type(ROLES, "App Admins");
	await findTexts(error);
	expect(scrolled()).toContain(error);
});
