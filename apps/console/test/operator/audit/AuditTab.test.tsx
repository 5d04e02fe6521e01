// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { userDisabled } from "../../support/fixtures/audit-events";
import { operatorWithout } from "../../support/fixtures/operators";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, findTexts } from "../../support/screen";

const REQUEST = "GET /service/audit";
const PATH = "/tenants/tenant-acme/audit";

describePageStates("the audit log of a tenant", {
	open: (handlers) => openConsole(PATH, handlers),
	request: REQUEST,
	filled: { answer: list([userDisabled]), shows: ["left the company", "1–1 of 1 events"] },
	empty: { answer: list([]), shows: ["No events yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("audit:list")) },
		shows: ["You may not see this page", "audit:list"],
	},
});

describe("the audit log of a tenant, in use", () => {
	test("asks for the events of this tenant only, and offers no other one", async () => {
		const server = await openConsole(PATH, { [REQUEST]: list([userDisabled]) });
		await findTexts("1–1 of 1 events");
		expect(server.sent(REQUEST).map(({ query }) => query.tenantId)).toEqual([
			"tenant-acme",
			"tenant-acme",
		]);
		expect(allByRole("button", /^Tenant:/)).toEqual([]);
		expect(allByRole("columnheader", "Tenant")).toEqual([]);
	});
});
