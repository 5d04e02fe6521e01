// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { json } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { directory } from "../../support/fixtures/directory";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { findTexts } from "../../support/screen";

const GET = "GET /tenant/scim/get";
const CREATE = "POST /tenant/scim/create-token";

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

test("a service without SCIM says so", async () => {
	const server = await open({ "GET /service/info": json({ ...serviceInfo, scim: false }) });
	await findTexts("Not available in this service");
	expect(server.sent(CREATE)).toEqual([]);
});
