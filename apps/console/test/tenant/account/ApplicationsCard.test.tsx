// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json } from "../../support/answers";
import { describeCardStates } from "../../support/card-states";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { openTenantPage } from "../../support/open-tenant-page";
import { allByRole, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { click } from "../../support/user";

const REQUEST = "GET /grant/list";
const REMOVE = "POST /grant/remove";
const TITLE = "Applications with access";

const notes = {
	clientId: "client-notes",
	name: "Notes",
	logoUrl: null,
	scopes: ["openid", "read"],
	usedAt: "2026-11-05T09:00:00.000Z",
};

const open = (handlers: Handlers) => openTenantPage("/account", { ...adasAccount, ...handlers });

describeCardStates("the applications of a user", {
	open,
	title: TITLE,
	request: REQUEST,
	filled: {
		answer: json([notes]),
		shows: ["Notes", "Know who you are", "Use the API of your organization: read", "Remove access"],
	},
});

describe("the applications of a user, in use", () => {
	test("lose their access when the user removes it", async () => {
		const server = await open({ [REQUEST]: json([notes]), [REMOVE]: json({ success: true }) });
		await findTexts("Notes");
		server.answer({ [REQUEST]: json([]) });
		await click("Remove the access of Notes");
		await findTexts("Notes no longer has access.");
		expect(server.sent(REMOVE).map(({ body }) => body)).toEqual([{ clientId: "client-notes" }]);
		await until(() => allByRole("region", TITLE).length === 0);
	});

	test("stay if the session has ended, and the page says so", async () => {
		await open({ [REQUEST]: json([notes]), [REMOVE]: sessionEnded.answer });
		await click("Remove the access of Notes");
		await findTexts("Notes", ...sessionEnded.shows);
	});
});
