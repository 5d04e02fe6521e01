// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { emailDomain, pendingDomain } from "../../support/fixtures/domains";
import { operatorWithout } from "../../support/fixtures/operators";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const LIST = "GET /tenant/domain/list";
const ADD = "POST /tenant/domain/add";
const VERIFY = "POST /tenant/domain/verify";
const UPDATE = "POST /tenant/domain/update";
const REMOVE = "POST /tenant/domain/remove";
const ENDED = refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this");
const verifiedDomain = { ...pendingDomain, state: "verified" } as const;

const open = (handlers: Handlers = {}) =>
	openConsole("/tenants/tenant-acme/domains", {
		[LIST]: list([pendingDomain, emailDomain]),
		...handlers,
	});

describePageStates("the domains of a tenant", {
	open,
	request: LIST,
	filled: {
		answer: list([pendingDomain, emailDomain]),
		shows: [
			...["login.acme.example", "Waiting for the record", "better-auth-tenant=token-login"],
			...["Email domain", "Verified"],
		],
	},
	empty: { answer: list([]), shows: ["No domains yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("domain:list")) },
		shows: ["You may not see this page", "domain:list"],
	},
});

describeFormStates("the form for a domain", {
	open: async (handlers) => {
		const server = await open({ [LIST]: list([]), ...handlers });
		await click("Add domain");
		return server;
	},
	request: ADD,
	fill: async () => {
		await type("Domain", " acme.example ");
		await choose("Used for", "Email domain");
	},
	submit: "Add domain",
	dialog: "Add a domain",
	valid: {
		answer: json(emailDomain),
		sends: { tenantId: "tenant-acme", host: "acme.example", purpose: "email" },
		shows: ["Domain added. Now add its record to DNS."],
	},
	invalid: { "an empty domain": { change: () => type("Domain", ""), field: "Domain" } },
	conflict: {
		"a domain that the tenant has": {
			answer: refuse(409, "DOMAIN_ALREADY_ADDED", "The tenant already has this domain"),
			shows: ["The tenant already has this domain"],
		},
		"a text that is not a domain": {
			answer: refuse(400, "INVALID_DOMAIN", "This is not a domain"),
			shows: ["This is not a domain"],
		},
	},
	keeps: { Domain: " acme.example ", "Used for": "email" },
});

const CONFIRM = "Type the domain “login.acme.example” to confirm";

describeFormStates("the removal of a domain", {
	open: async (handlers) => {
		const server = await open({ [LIST]: list([pendingDomain]), ...handlers });
		await click("Remove login.acme.example");
		return server;
	},
	request: REMOVE,
	fill: () => type(CONFIRM, "login.acme.example"),
	submit: "Remove domain",
	valid: {
		answer: json({ success: true }),
		sends: { tenantId: "tenant-acme", domainId: "domain-login" },
		shows: ["login.acme.example was removed."],
	},
	invalid: {
		"a removal that is not confirmed": {
			change: () => type(CONFIRM, "login"),
			shows: ["Nobody can sign in at this host any more"],
		},
	},
	conflict: {
		"the removal of a domain that is gone": {
			answer: refuse(404, "DOMAIN_NOT_FOUND", "Domain not found"),
			shows: ["Domain not found"],
		},
	},
	keeps: { [CONFIRM]: "login.acme.example" },
});

describe("a domain of a tenant", () => {
	test("is verified when the service finds its record", async () => {
		const server = await open({ [LIST]: list([pendingDomain]), [VERIFY]: json(verifiedDomain) });
		await findTexts("Waiting for the record");
		server.answer({ [LIST]: list([verifiedDomain]) });
		await click("Check now for login.acme.example");
		await findTexts("login.acme.example is verified.", "Use for links in emails");
		expect(server.sent(VERIFY)).toMatchObject([{ body: { domainId: "domain-login" } }]);
	});

	test.each([
		["its record is missing", refuse(409, "DNS_RECORD_NOT_FOUND", "Not in DNS"), "Not in DNS"],
		["the session has ended", ENDED, "Your session has ended. Sign in again, and repeat this."],
	])("is not verified if %s, and its card says so", async (_, answer, message) => {
		await open({ [VERIFY]: answer });
		await click("Check now for login.acme.example");
		await findTexts(message);
		expect(textOf(byRole("region", /^login\.acme\.example/))).toContain(message);
	});

	test("becomes the host of links in emails", async () => {
		const server = await open({
			[LIST]: list([verifiedDomain]),
			[UPDATE]: json({ ...verifiedDomain, primary: true }),
		});
		const button = await findByRole("button", "Use for links in emails");
		server.answer({ [LIST]: list([{ ...verifiedDomain, primary: true }]) });
		await click(button);
		await findTexts("Saved.", "Used for links in emails");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { primary: true } }]);
	});

	test("stays as it is if the service rejects a change, and the page says why", async () => {
		const server = await open({ [UPDATE]: ENDED });
		const found = await findByRole("switch", /find this tenant by an email/);
		await click(found);
		await findTexts("Your session has ended. Sign in again, and repeat this.");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { discoverable: true } }]);
		expect(found.getAttribute("aria-checked")).toBe("false");
	});

	test("warns if its record has gone from DNS", async () => {
		await open({
			[LIST]: list([{ ...emailDomain, missingSince: "2026-11-16T09:00:00.000Z" }]),
		});
		await findTexts("The DNS record is missing since", "or the tenant loses the domain.");
		expect(allByRole("switch")).toHaveLength(1);
	});

	test("has no buttons for what the operator may not do", async () => {
		const denied = ["domain:add", "domain:verify", "domain:update", "domain:remove"] as const;
		await open({ "GET /operator/me": json(operatorWithout(...denied)) });
		await findTexts("login.acme.example");
		expect(allByRole("button", /^(Add domain|Check now|Remove)/)).toEqual([]);
		expect(allByRole("switch")).toEqual([]);
	});

	test("for sign-ins is only for owners of the tenant to verify", async () => {
		await openAdminPage("/domains", {
			[LIST]: list([pendingDomain, emailDomain]),
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		expect(await findByRole("button", "Check now for acme.example")).toBeTruthy();
		expect(allByRole("button", "Check now for login.acme.example")).toEqual([]);
	});
});
