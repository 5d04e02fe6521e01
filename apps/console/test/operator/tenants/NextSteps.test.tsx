// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { shop } from "../../support/fixtures/applications";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass } from "../../support/time";

const APPLICATIONS = "GET /tenant/application/list";

const open = (users: number, handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}`, {
		"GET /tenant/user/list": list([], users),
		"GET /tenant/session/list": list([]),
		"GET /tenant/oauth-config/effective": json([]),
		...handlers,
	});

const hrefOf = (name: string, root: HTMLElement) =>
	byRole("link", name, root).getAttribute("href")?.replace(`/console/tenants/${acme.id}/`, "");

describe("the next steps of a new tenant", () => {
	test("lead to what it needs", async () => {
		await open(0, {});
		const steps = await findByRole("region", "Next steps");
		expect(hrefOf("New application", steps)).toBe("applications/new");
		expect(hrefOf("Branding", steps)).toBe("branding");
		expect(hrefOf("Users", steps)).toBe("users");
		expect(textOf(steps)).not.toContain("Done");
	});

	test("say what is done", async () => {
		await open(0, {
			[APPLICATIONS]: json([shop]),
			"GET /tenant/get": json({ ...acme, metadata: { branding: { primaryColor: "#0f766e" } } }),
		});
		const steps = await findByRole("region", "Next steps");
		expect(textOf(steps).match(/Done/g)).toHaveLength(2);
		expect(allByRole("link", undefined, steps).map(textOf)).toEqual(["Users"]);
	});

	test("go away when the tenant has an application and a user", async () => {
		await open(1, { [APPLICATIONS]: json([shop]) });
		await findTexts("Users1");
		await pass(10);
		expect(allByRole("region", "Next steps")).toEqual([]);
	});

	test("offer only what the operator may do", async () => {
		await open(0, {
			"GET /operator/me": json(operatorWithout("user:create", "tenant:update")),
		});
		const steps = await findByRole("region", "Next steps");
		expect(allByRole("link", undefined, steps).map(textOf)).toEqual(["New application"]);
	});
});
