// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { samlByUrl } from "../../support/fixtures/saml";
import { openConsole } from "../../support/open-console";
import { findTexts } from "../../support/screen";
import { click } from "../../support/user";

const GET = "GET /tenant/saml/get";
const REFRESH = "POST /tenant/saml/refresh";

const open = (handlers: Handlers) =>
	openConsole("/tenants/tenant-acme/saml", {
		[GET]: json(samlByUrl()),
		"GET /tenant/login-options": json({ ...loginOptions, methods: ["sso"] }),
		...handlers,
	});

test.each([
	[true, "The new metadata was saved."],
	[false, "The metadata has not changed."],
])("says whether the metadata is new: %s", async (changed, text) => {
	const server = await open({ [REFRESH]: json({ ...samlByUrl(), changed }) });
	await click("Fetch again");
	await findTexts(text);
	expect(server.sent(REFRESH).map(({ body }) => body)).toEqual([{ tenantId: "tenant-acme" }]);
});

test("shows what is wrong, and the warning that the service has saved", async () => {
	const message = "The metadata could not be loaded";
	const problem = {
		code: "SAML_METADATA_UNREACHABLE",
		message,
		since: "2026-11-17T12:00:00.000Z",
	};
	let isTried = false;
	await open({
		[GET]: () => json(samlByUrl(isTried ? problem : null))(),
		[REFRESH]: () => {
			isTried = true;
			return refuse(502, problem.code, message)();
		},
	});
	await click("Fetch again");
	await findTexts(message, "The metadata URL has had a problem since Nov 17, 2026.");
	expect(isTried).toBe(true);
});

test("says that the session has ended", async () => {
	await open({
		[REFRESH]: refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this"),
	});
	await click("Fetch again");
	await findTexts("Your session has ended. Sign in again, and repeat this.");
	expect(document.body.textContent).not.toContain("The new metadata was saved.");
});
