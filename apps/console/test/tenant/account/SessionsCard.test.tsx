// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import { describeCardStates } from "../../support/card-states";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { adasSession } from "../../support/fixtures/sessions";
import { openTenantPage } from "../../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const REQUEST = "GET /list-sessions";
const REVOKE = "POST /revoke-session";
const REVOKE_OTHERS = "POST /revoke-other-sessions";

const here = adasSession.session;

const phone = {
	...here,
	id: "session-phone",
	token: "token-phone",
	ipAddress: "192.0.2.7",
	userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
	createdAt: "2026-11-16T09:00:00.000Z",
};

const open = (handlers: Handlers) => openTenantPage("/account", { ...adasAccount, ...handlers });

/** The card, once it shows the sessions. */
async function findCard(): Promise<HTMLElement> {
	await findTexts("This device");
	return byRole("region", "Active sessions");
}

describeCardStates("the sessions of a user", {
	open,
	title: "Active sessions",
	request: REQUEST,
	filled: {
		answer: list([phone, here]),
		shows: ["This device", "Firefox on Android", "192.0.2.7 · signed in"],
	},
});

describe("the sessions of a user, in use", () => {
	test("have the session of this browser first, which the card cannot end", async () => {
		await open({ [REQUEST]: list([phone, here]) });
		const [first, second] = allByRole("listitem", undefined, await findCard());
		expect(first && textOf(first)).toContain("This device");
		expect(first && allByRole("button", undefined, first)).toEqual([]);
		expect(second && allByRole("button", "Sign out of Firefox on Android", second)).toHaveLength(1);
	});

	test("end when the user asks for it", async () => {
		const server = await open({ [REQUEST]: list([phone, here]), [REVOKE]: json({ status: true }) });
		const card = await findCard();
		server.answer({ [REQUEST]: list([here]) });
		await click("Sign out of Firefox on Android");
		await pass(10);
		expect(allByRole("listitem", undefined, card)).toHaveLength(1);
		expect(server.sent(REVOKE).map(({ body }) => body)).toEqual([{ token: "token-phone" }]);
	});

	test("end on all other devices at once", async () => {
		const server = await open({
			[REQUEST]: list([phone, here]),
			[REVOKE_OTHERS]: json({ status: true }),
		});
		const card = await findCard();
		server.answer({ [REQUEST]: list([here]) });
		await click(byRole("button", "Sign out of all other devices", card));
		await pass(10);
		expect(allByRole("listitem", undefined, card)).toHaveLength(1);
		expect(allByRole("button", "Sign out of all other devices", card)).toEqual([]);
		expect(server.sent(REVOKE_OTHERS)).toHaveLength(1);
	});

	test.each([
		["the service fails", refuse(503, "", ""), "Something went wrong on our side."],
		["the session here has ended", sessionEnded.answer, sessionEnded.shows[0] as string],
	])("stay on the page if %s", async (_, answer, text) => {
		await open({ [REQUEST]: list([phone, here]), [REVOKE]: answer });
		await findCard();
		await click("Sign out of Firefox on Android");
		await findTexts(text, "Firefox on Android");
		await pass(10);
		expect(byRole("button", "Sign out of Firefox on Android").getAttribute("aria-busy")).toBeNull();
	});

	test("have pages and a search if there are many", async () => {
		const others = Array.from({ length: 8 }, (_, index) => ({
			...phone,
			id: `session-${index}`,
			token: `token-${index}`,
			ipAddress: `192.0.2.${index + 1}`,
		}));
		await open({ [REQUEST]: list([here, ...others]) });
		const card = await findCard();
		await findTexts("1–8 of 9 sessions");
		await click(byRole("button", "Next", card));
		await findTexts("9–9 of 9 sessions");
		await type("Search by device or IP address", "192.0.2.3");
		await pass(250);
		expect(allByRole("listitem", undefined, card)).toHaveLength(1);
		await type("Search by device or IP address", "nothing");
		await pass(250);
		expect(await findByRole("heading", "No sessions match this search")).toBeTruthy();
	});
});
