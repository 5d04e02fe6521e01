// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme, suspendedTenant } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";

const REQUEST = "GET /tenant/get";

const open = (handlers: Handlers) => openConsole(`/tenants/${acme.id}/settings`, handlers);

describePageStates("the page of a tenant", {
	open,
	request: REQUEST,
	filled: { answer: json(acme), shows: ["Acme", "Name and slug"] },
});

const links = () =>
	allByRole("link", undefined, byRole("navigation", /Acme|Tenant/)).map(
		({ textContent }) => textContent,
	);

describe("the page of a tenant, in use", () => {
	test("says that there is no such tenant", async () => {
		await open({ [REQUEST]: refuse(404, "TENANT_NOT_FOUND", "Tenant not found") });
		await findTexts("Could not load this tenant", "Tenant not found");
		expect(allByRole("heading", "Tenant")).toHaveLength(1);
	});

	test("says since when a tenant is suspended, and what that means", async () => {
		await open({ [REQUEST]: json(suspendedTenant) });
		await findTexts("Suspended since", "Users cannot sign in, and their sessions are rejected.");
		expect(byRole("heading", "Settings").tagName).toBe("H1");
		expect(byRole("link", "Globex").getAttribute("href")).toBe("/console/tenants/tenant-globex");
	});

	test("has the tenant's name as the title of the first page", async () => {
		await openConsole(`/tenants/${acme.id}`, {
			"GET /tenant/user/list": list([]),
			"GET /tenant/session/list": list([]),
			"GET /tenant/oauth-config/effective": json([]),
		});
		expect((await findByRole("heading", "Acme")).tagName).toBe("H1");
		expect(allByRole("heading").filter(({ tagName }) => tagName === "H1")).toHaveLength(1);
	});

	test("has one title on a page that the operator may not see", async () => {
		await openConsole(`/tenants/${acme.id}/policy`, {
			"GET /operator/me": json(operatorWithout("policy:get")),
		});
		await findTexts("You may not see this page");
		expect(allByRole("heading", "Not allowed")).toHaveLength(1);
	});

	test("lists only the pages that the operator may see", async () => {
		await open({
			"GET /operator/me": json(operatorWithout("policy:get", "webhook:list", "session:list")),
		});
		await findTexts("Name and slug");
		expect(links()).toContain("Users");
		expect(links()).not.toContain("Policy");
		expect(links()).not.toContain("Webhooks");
		expect(links()).not.toContain("Sessions");
	});
});
