// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, never, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { saml } from "../../support/fixtures/saml";
import { passedTest, refusedTest, samlTest, startedTest } from "../../support/fixtures/saml-test";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { click } from "../../support/user";

const TEST = "POST /tenant/saml/test";
const START = "POST /tenant/saml/start-test";
const RESULT = "GET /tenant/saml/test-result";

const dialog = () => byRole("dialog", "Test the identity provider");

const open = async (handlers: Handlers = {}) => {
	const server = await openConsole("/tenants/tenant-acme/saml", {
		"GET /tenant/saml/get": json(saml),
		"GET /tenant/login-options": json({ ...loginOptions, methods: ["sso"] }),
		[TEST]: json(samlTest),
		[START]: json(startedTest),
		[RESULT]: json({ result: null }),
		...handlers,
	});
	await click("Test");
	return server;
};

const start = () => click("Start a test sign-in");

describe("the steps of a test", () => {
	test("are shown with what came out", async () => {
		const server = await open();
		await findTexts("The certificate is valid for 90 more days", "unknown");
		expect(allByRole("alert")).toEqual([]);
		expect(server.sent(TEST).map(({ body }) => body)).toEqual([{ tenantId: "tenant-acme" }]);
		// Nothing starts before somebody wants it.
		expect(server.sent(START)).toEqual([]);
	});

	test("warn if one has failed", async () => {
		await open({
			[TEST]: json({
				ok: false,
				steps: [{ name: "domain", state: "failed", message: "No verified email domain" }],
			}),
		});
		expect(textOf(await findByRole("alert"))).toBe(
			"Not everything works. Look at the steps that failed.",
		);
		await findTexts("Email domains", "No verified email domain");
	});

	test("are not there while they load, and the sign-in is", async () => {
		await open({ [TEST]: never() });
		expect(textOf(dialog())).not.toContain("passed");
		expect(byRole("button", "Start a test sign-in", dialog())).toBeTruthy();
	});

	test("say that they could not run", async () => {
		await open({ [TEST]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", "You may not do this") });
		expect(textOf(await findByRole("alert"))).toBe("Could not test it: You may not do this");
	});
});

describe("a test sign-in", () => {
	test("has a link for a new tab, and waits", async () => {
		const server = await open();
		await start();
		const link = await findByRole("link", "Sign in (new tab)", dialog());
		expect(link.getAttribute("href")).toBe(startedTest.url);
		expect(link.getAttribute("rel")).toBe("noreferrer");
		await findTexts("Waiting for the sign-in. The link works once.");
		expect(server.sent(RESULT)[0]?.query).toEqual({ tenantId: "tenant-acme", testId: "test-1" });
	});

	test("shows what the identity provider says", async () => {
		await open({ [RESULT]: json({ result: passedTest }) });
		await start();
		await findTexts(
			"The response is valid, and the person could sign in.",
			"Ada Lovelace",
			"ada@acme.example",
			"Staff, Editors",
			"admin",
		);
	});

	test("shows which check failed, and what is unusual", async () => {
		await open({ [RESULT]: json({ result: refusedTest }) });
		await start();
		await findTexts("(saml_error)", "Its certificate is not a saved one");
		expect(textOf(dialog())).not.toContain("Name ID");
	});

	test("says that it has expired, and starts again", async () => {
		const server = await open({
			[RESULT]: refuse(404, "SAML_TEST_NOT_FOUND", "There is no such test, or it has expired"),
		});
		await start();
		await findTexts("There is no such test, or it has expired");
		server.answer({
			[START]: json({ ...startedTest, testId: "test-2" }),
			[RESULT]: json({ result: passedTest }),
		});
		await click("Start again");
		await findTexts("Ada Lovelace");
		expect(server.sent(RESULT).at(-1)?.query.testId).toBe("test-2");
	});

	test.each([
		["a conflict", refuse(404, "SAML_NOT_SET_UP", "No identity provider"), "No identity provider"],
		[
			"a session that has ended",
			refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this"),
			"Your session has ended. Sign in again, and repeat this.",
		],
	])("shows %s", async (_, answer, text) => {
		const server = await open({ [START]: answer });
		await start();
		await findTexts(text);
		expect(server.sent(RESULT)).toEqual([]);
	});
});
