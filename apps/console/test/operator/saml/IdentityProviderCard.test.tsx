// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { operatorWithout } from "../../support/fixtures/operators";
import { identityProvider, saml, samlByUrl, samlUntil } from "../../support/fixtures/saml";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const GET = "GET /tenant/saml/get";

const open = (handlers: Handlers = {}) =>
	openConsole("/tenants/tenant-acme/saml", {
		[GET]: json(saml),
		"GET /tenant/login-options": json({ ...loginOptions, methods: ["sso"] }),
		...handlers,
	});

const card = () => findByRole("region", "Identity provider");

describe("the certificate of an identity provider", () => {
	test("has no warning as long as it is valid for more than 30 days", async () => {
		await open({ [GET]: json(samlUntil("2026-12-17T12:00:01Z")) });
		expect(textOf(await card())).toContain("Expires Dec 17, 2026");
		expect(allByRole("status", undefined, await card())).toEqual([]);
		expect(allByRole("alert")).toEqual([]);
	});

	test("has a warning in its last 30 days", async () => {
		await open({ [GET]: json(samlUntil("2026-12-17T12:00:00Z")) });
		expect(textOf(await findByRole("status", undefined, await card()))).toContain(
			"The certificate expires on Dec 17, 2026.",
		);
	});

	test("is an error after its end", async () => {
		await open({ [GET]: json(samlUntil("2026-11-17T12:00:00Z")) });
		expect(textOf(await findByRole("alert"))).toContain("The certificate expired on Nov 17, 2026.");
		await findTexts("Expired Nov 17, 2026");
	});

	test("may end if there is another one that is valid", async () => {
		await open({ [GET]: json(samlUntil("2096-11-10T09:00:00Z", "2026-11-01T12:00:00Z")) });
		await findTexts("Certificates", "Expires Nov 10, 2096", "Expired Nov 1, 2026");
		expect(allByRole("alert")).toEqual([]);
		expect(allByRole("status", undefined, await card())).toEqual([]);
	});
});

describe("the metadata of an identity provider", () => {
	test("names its URL, and when it was checked", async () => {
		await open({ [GET]: json(samlByUrl()) });
		const text = textOf(await card());
		expect(text).toContain("https://idp.example.com/metadata");
		expect(text).toContain("Checked");
		expect(allByRole("status", undefined, await card())).toEqual([]);
	});

	test("that was pasted has no URL to fetch again", async () => {
		await open();
		expect(textOf(await card())).toContain("XML that somebody pasted");
		expect(allByRole("button", "Fetch again")).toEqual([]);
	});

	test("has a warning if its URL has a problem", async () => {
		const problem = {
			code: "SAML_ENTITY_ID_CHANGED",
			message: "The URL now has the metadata of another identity provider",
			since: "2026-11-15T06:00:00.000Z",
		};
		await open({ [GET]: json(samlByUrl(problem)) });
		expect(textOf(await findByRole("status", undefined, await card()))).toBe(
			"The metadata URL has had a problem since Nov 15, 2026. The URL now has the metadata of another identity provider. What was saved before stays in use.",
		);
	});
});

test("a replacement starts with what the service knows", async () => {
	await open();
	await click("Change");
	const dialog = byRole("dialog", "Change the identity provider");
	await choose("What you have", "URL, entity ID and certificate", dialog);
	expect(byLabel("Sign-in URL", dialog).value).toBe(identityProvider.signInUrl);
	expect(byLabel("Entity ID of the identity provider", dialog).value).toBe(
		identityProvider.entityId,
	);
	expect(byLabel("Certificate", dialog).value).toBe("");
});

test("an operator sees only the buttons that the role permits", async () => {
	const me = json(operatorWithout("saml:set", "saml:refresh", "saml:test", "saml:remove"));
	await open({ "GET /operator/me": me, [GET]: json(samlByUrl()) });
	await card();
	expect(allByRole("button", "Change")).toEqual([]);
	expect(allByRole("button", "Fetch again")).toEqual([]);
	expect(allByRole("button", "Test")).toEqual([]);
	expect(allByRole("button", "Remove")).toEqual([]);
});

const CONFIRM = "Type the slug “acme” to confirm";

describeFormStates("the removal of an identity provider", {
	open: async (handlers) => {
		const server = await open(handlers);
		await click("Remove");
		return server;
	},
	request: "POST /tenant/saml/remove",
	fill: () => type(CONFIRM, "acme"),
	submit: "Remove SAML",
	valid: {
		answer: json({ success: true }),
		sends: { tenantId: "tenant-acme" },
		shows: ["The identity provider was removed."],
	},
	invalid: {
		"a removal that is not confirmed": {
			change: () => type(CONFIRM, "ac"),
			shows: ["Nobody can sign in at it any more."],
		},
	},
	conflict: {
		"an identity provider that is gone": {
			answer: refuse(404, "SAML_NOT_SET_UP", "The tenant has no SAML identity provider"),
			shows: ["The tenant has no SAML identity provider"],
		},
	},
	keeps: { [CONFIRM]: "acme" },
});
