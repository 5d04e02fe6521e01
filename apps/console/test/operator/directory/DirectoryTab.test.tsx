// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { directory } from "../../support/fixtures/directory";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { findTexts } from "../../support/screen";
import { click, type } from "../../support/user";

const GET = "GET /tenant/scim/get";
const CREATE = "POST /tenant/scim/create-token";
const REVOKE = "POST /tenant/scim/revoke-token";

const empty = { ...directory, users: 0, groups: 0, tokens: [] };

const open = (handlers: Handlers = {}) =>
	openConsole("/tenants/tenant-acme/directory", { [GET]: json(directory), ...handlers });

describePageStates("the directory of a tenant", {
	open,
	request: GET,
	filled: {
		answer: json(directory),
		shows: [directory.url, "42", "made by ada@acme.example", "Admin", "Never"],
	},
	empty: { answer: json(empty), shows: ["No tokens yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("scim:get")) },
		shows: ["You may not see this page", "scim:get"],
	},
});

const CONFIRM = "Type the name “Okta” to confirm";

describeFormStates("the revocation of a token", {
	open: async (handlers) => {
		const server = await open(handlers);
		await click("Revoke Okta");
		return server;
	},
	request: REVOKE,
	fill: () => type(CONFIRM, "Okta"),
	submit: "Revoke token",
	valid: {
		answer: json({ success: true }),
		sends: { tenantId: "tenant-acme", id: "ba_scim_credential_1" },
		shows: ["Okta was revoked."],
	},
	invalid: {
		"a revocation that is not confirmed": {
			change: () => type(CONFIRM, "Ok"),
			shows: ["The directory that uses it is refused at once"],
		},
	},
	conflict: {
		"a token that is gone": {
			answer: refuse(404, "SCIM_TOKEN_NOT_FOUND", "SCIM token not found"),
			shows: ["SCIM token not found"],
		},
	},
	keeps: { [CONFIRM]: "Okta" },
});

test("a service without SCIM says so", async () => {
	const server = await open({ "GET /service/info": json({ ...serviceInfo, scim: false }) });
	await findTexts("Not available in this service");
	expect(server.sent(CREATE)).toEqual([]);
});
