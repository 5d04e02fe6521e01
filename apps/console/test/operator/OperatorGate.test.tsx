// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, never, offline, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { operatorWithRole } from "../support/fixtures/operators";
import { openConsole } from "../support/open-console";
import {
	allByRole,
	byLabel,
	byRole,
	findByRole,
	findTexts,
	isBusy,
	textOf,
} from "../support/screen";
import { pass, until } from "../support/time";
import { click, type } from "../support/user";

const ME = "GET /operator/me";

const open = (handlers: Handlers) =>
	openConsole("/tenants", { "GET /tenant/list": list([]), ...handlers });

describe("the console", () => {
	test("says that it loads, and shows nothing else yet", async () => {
		const server = await open({ [ME]: never() });
		await until(() => server.sent(ME).length > 0);
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("navigation")).toEqual([]);
	});

	test("shows an owner all pages", async () => {
		await open({});
		expect(await findByRole("link", "Operators")).toBeTruthy();
		expect(byRole("link", "olga@service.example")).toBeTruthy();
	});

	test("shows only the pages that the role may see", async () => {
		await open({ [ME]: json(operatorWithRole("support")) });
		expect(await findByRole("link", "Find a user")).toBeTruthy();
		expect(allByRole("link", "Operators")).toEqual([]);
		expect(allByRole("link", "Keys")).toEqual([]);
	});

	test("names the key of somebody who uses one", async () => {
		const { actions } = operatorWithRole("operator") as { actions: string[] };
		await open({
			[ME]: json({
				...{ status: "allowed", kind: "key", id: "key-1", name: "Deployment", email: null },
				...{ role: null, tenantId: null, actions },
			}),
		});
		await findTexts("Deployment", "No tenants yet");
		expect(allByRole("link", "Deployment")).toEqual([]);
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await open({ [ME]: offline() });
		await findTexts("Could not reach the server.");
		server.answer({ [ME]: json(operatorWithRole("owner")) });
		await click("Try again");
		expect(await findByRole("link", "Operators")).toBeTruthy();
	});

	test("asks somebody to sign in who has not, and asks the service for nothing else", async () => {
		const server = await open({ [ME]: refuse(401, "UNAUTHORIZED", "Unauthorized") });
		await findTexts("Sign in to the console.");
		expect(server.sent("GET /tenant/list")).toEqual([]);
	});

	test("asks to sign in again if the session ends while a page is open", async () => {
		const server = await open({});
		await findTexts("No tenants yet");
		server.answer({
			[ME]: refuse(401, "UNAUTHORIZED", "Unauthorized"),
			"GET /operator/list": refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed"),
		});
		await click(byRole("link", "Operators"));
		await findTexts("Your session has ended", "Sign in again to go on.");
	});

	const SAVE = "POST /tenant/create";
	const OPEN = "POST /operator/session/open";

	test("keeps a form that could not be saved because the session has ended", async () => {
		const server = await openConsole("/tenants/new", {});
		await type("Name", "Acme Corporation");
		server.answer({
			[ME]: refuse(401, "UNAUTHORIZED", "Unauthorized"),
			[SAVE]: refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed"),
		});
		await click("Create tenant");
		await findTexts("Your session has ended", "Sign in again to go on.");
		expect(textOf(document.body)).not.toContain("You are not allowed");
		expect(byLabel("Name").value).toBe("Acme Corporation");

		const owner = operatorWithRole("owner");
		server.answer({ [OPEN]: json(owner), [ME]: json(owner) });
		await click(byRole("radio", "Management key"));
		const form = byRole("dialog", "Your session has ended").querySelector("form") ?? document.body;
		await type("Management key", "a key", form);
		await click("Continue");
		await until(() => allByRole("dialog", "Your session has ended").length === 0);
		expect(byLabel("Name").value).toBe("Acme Corporation");
	});

	test("shows the sign-in page after the user signs out", async () => {
		const server = await open({ "POST /operator/session/close": json({ success: true }) });
		await findTexts("No tenants yet");
		server.answer({ [ME]: refuse(401, "UNAUTHORIZED", "Unauthorized") });
		await click("Sign out");
		await findTexts("Sign in to the console.");
		expect(server.sent("POST /operator/session/close")).toHaveLength(1);
	});

	test("says so if the user could not be signed out", async () => {
		await open({ "POST /operator/session/close": offline() });
		await findTexts("No tenants yet");
		await click("Sign out");
		await findTexts("Could not reach the server.");
		expect(byRole("link", "olga@service.example")).toBeTruthy();
	});
});
