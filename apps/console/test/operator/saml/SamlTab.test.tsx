// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { ownerWithout, permissionsOf } from "../../support/fixtures/admins";
import { loginOptions } from "../../support/fixtures/login-options";
import { operatorWithout } from "../../support/fixtures/operators";
import { saml, samlWithout } from "../../support/fixtures/saml";
import { serviceInfo } from "../../support/fixtures/service";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const GET = "GET /tenant/saml/get";
const OPTIONS = "GET /tenant/login-options";

const allowed = { [OPTIONS]: json({ ...loginOptions, methods: ["password", "sso"] }) };

const open = (handlers: Handlers = {}) =>
	openConsole("/tenants/tenant-acme/saml", { [GET]: json(saml), ...allowed, ...handlers });

const openAsAdmin = (handlers: Handlers = {}) =>
	openAdminPage("/saml", { [GET]: json(saml), ...allowed, ...handlers });

const SHOWN = [
	saml.metadataUrl,
	saml.acsUrl,
	"People with an email of acme.example",
	"https://idp.example.com/sso",
	"fullName",
	"App Admins: admin",
];

describePageStates("the SAML page of a tenant", {
	open,
	request: GET,
	filled: { answer: json(saml), shows: SHOWN },
	empty: { answer: json(samlWithout), shows: ["None is connected yet", samlWithout.acsUrl] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("saml:get")) },
		shows: ["You may not see this page", "saml:get"],
	},
});

describePageStates("the SAML page for an owner of the tenant", {
	open: openAsAdmin,
	request: GET,
	filled: { answer: json(saml), shows: SHOWN },
	empty: { answer: json(samlWithout), shows: ["None is connected yet", samlWithout.acsUrl] },
	forbidden: {
		handlers: { "GET /tenant/permissions": json(ownerWithout("saml:get")) },
		shows: ["You may not see this page", "saml:get"],
	},
});

describe("the SAML page", () => {
	test("has copy buttons for what the identity provider needs", async () => {
		await open();
		await findTexts(saml.acsUrl);
		expect(allByRole("button", /^Copy/).map((it) => it.getAttribute("aria-label"))).toEqual([
			"Copy Metadata URL",
			"Copy Entity ID, audience",
			"Copy ACS URL, reply URL",
		]);
	});

	test("leads to the sign-in page of the tenant as soon as there is something to try", async () => {
		await open();
		const link = await findByRole("link", "Try it on the sign-in page");
		expect(link.getAttribute("href")).toBe("http://localhost:3000/t/acme/sign-in");
	});

	test("does not lead to the sign-in page without an identity provider", async () => {
		const server = await open({ [GET]: json(samlWithout) });
		await findTexts("None is connected yet");
		expect(allByRole("link", "Try it on the sign-in page")).toEqual([]);
		expect(server.sent(OPTIONS)).toEqual([]);
	});

	test("says that nobody can sign in without a verified email domain", async () => {
		await open({ [GET]: json({ ...saml, emailDomains: [] }) });
		await findTexts("the tenant has no verified email domain", "Who can sign in Nobody");
		const link = await findByRole("link", "Verify the domain of the company");
		expect(link.getAttribute("href")).toBe("/console/tenants/tenant-acme/domains");
	});

	test("says that the policy does not allow it", async () => {
		await open({ [OPTIONS]: json(loginOptions) });
		await findTexts("The policy of the tenant does not allow single sign-on");
		const link = await findByRole("link", "Change the policy");
		expect(link.getAttribute("href")).toBe("/console/tenants/tenant-acme/policy");
	});

	test("says nothing about the policy if it allows it", async () => {
		await open();
		await findTexts(saml.acsUrl);
		await pass(100);
		expect(textOf(document.body)).not.toContain("does not allow");
	});

	test("lets an admin read, and only an owner change", async () => {
		const asAdmin = { "GET /tenant/permissions": json(permissionsOf("admin")) };
		await openAsAdmin(asAdmin);
		await findTexts("Only an owner can change this.", ...SHOWN);
		expect(allByRole("button", "Change")).toEqual([]);
		expect(allByRole("button", "Remove")).toEqual([]);
	});

	test("tells an admin that an owner has to connect it", async () => {
		const asAdmin = { "GET /tenant/permissions": json(permissionsOf("admin")) };
		await openAsAdmin({ ...asAdmin, [GET]: json(samlWithout) });
		await findTexts("No identity provider yet", "Only an owner can connect one.");
		expect(allByRole("button", "Save identity provider")).toEqual([]);
	});

	test("has the focus at its heading after it was connected, and after it was removed", async () => {
		const server = await open({
			[GET]: json(samlWithout),
			"POST /tenant/saml/set": json(saml),
			"POST /tenant/saml/remove": json({ success: true }),
		});
		await type("Metadata URL of the identity provider", "https://idp.example.com/metadata");
		server.answer({ [GET]: json(saml) });
		await click("Save identity provider");
		await findByRole("button", "Change");
		expect(document.activeElement).toBe(byRole("heading", "SAML"));

		await click("Remove");
		await type("Type the slug “acme” to confirm", "acme");
		server.answer({ [GET]: json(samlWithout) });
		await click("Remove SAML");
		await findTexts("None is connected yet");
		expect(document.activeElement).toBe(byRole("heading", "SAML"));
	});

	test("says so if the service has no SAML", async () => {
		const server = await open({ "GET /service/info": json({ ...serviceInfo, saml: false }) });
		await findTexts("Not available in this service");
		expect(textOf(document.body)).not.toContain(saml.acsUrl);
		expect(server.sent("POST /tenant/saml/set")).toEqual([]);
	});
});
