// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { userDisabled } from "../../support/fixtures/audit-events";
import { discord, github } from "../../support/fixtures/oauth-providers";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";

const USERS = "GET /tenant/user/list";
const SESSIONS = "GET /tenant/session/list";
const PROVIDERS = "GET /tenant/oauth-config/effective";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}`, {
		[USERS]: list([], 1234),
		[SESSIONS]: list([], 56),
		[PROVIDERS]: json([github, discord]),
		...handlers,
	});

describePageStates("the overview of a tenant", {
	open,
	request: USERS,
	filled: { answer: list([], 1234), shows: ["Users1,234"] },
	empty: { answer: list([]), shows: ["Users0"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("user:list")) },
		shows: ["Sessions56", "Enabled providers1"],
	},
});

describe("the overview of a tenant, in use", () => {
	test("shows where users sign in, and how the tenant is called", async () => {
		await open({});
		const link = await findByRole("link", "http://localhost:3000/t/acme");
		expect(link.getAttribute("href")).toBe("http://localhost:3000/t/acme");
		await findTexts("Tenant ID tenant-acme", "Slug acme");
		expect(byRole("link", "Edit").getAttribute("href")).toBe(
			`/console/tenants/${acme.id}/settings`,
		);
	});

	test("shows the host of a tenant that has its own", async () => {
		await open({
			"GET /service/info": json({ ...serviceInfo, tenantDomain: "tenants.example" }),
		});
		expect(await findByRole("link", "http://acme.tenants.example:3000/")).toBeTruthy();
		await findTexts("Issuer http://acme.tenants.example:3000");
	});

	test("shows what an app needs to know", async () => {
		await open({});
		await findTexts(
			"Issuer http://localhost:3000/t/acme",
			"Discovery http://localhost:3000/t/acme/.well-known/openid-configuration",
		);
		expect(byRole("button", "Copy Issuer")).toBeTruthy();
	});

	test("says what happened in the tenant", async () => {
		const server = await open({ "GET /service/audit": list([userDisabled]) });
		await findTexts("User disabled: bob@acme.example", "Reason: left the company");
		expect(server.sent("GET /service/audit")[0]?.query).toMatchObject({ tenantId: acme.id });
		expect(byRole("link", "View all").getAttribute("href")).toBe(
			`/console/tenants/${acme.id}/audit`,
		);
	});

	test("asks for nothing that the operator may not see", async () => {
		const server = await open({
			"GET /operator/me": json(
				operatorWithout(
					"session:list",
					"oauth-config:effective",
					"tenant:update",
					"sign-in:list",
					"audit:list",
					"application:list",
				),
			),
		});
		await findTexts("Users1,234");
		expect(server.sent("GET /tenant/sign-in/list")).toEqual([]);
		expect(server.sent("GET /service/audit")).toEqual([]);
		expect(server.sent("GET /tenant/application/list")).toEqual([]);
		expect(server.sent(SESSIONS)).toEqual([]);
		expect(server.sent(PROVIDERS)).toEqual([]);
		expect(allByRole("link", "Edit")).toEqual([]);
	});
});
