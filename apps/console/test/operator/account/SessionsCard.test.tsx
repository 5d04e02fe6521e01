// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { currentSession, olgasAccount, otherSession } from "../../support/fixtures/own-account";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { until } from "../../support/time";
import { click } from "../../support/user";

const ACCOUNT = "GET /operator/account";
const REVOKE = "POST /operator/account/revoke-session";
const REVOKE_OTHERS = "POST /operator/account/revoke-other-sessions";
const ONLY_THIS = json({ ...olgasAccount, sessions: [currentSession] });

const open = (handlers: Handlers = {}) =>
	openConsole("/account", { [ACCOUNT]: json(olgasAccount), ...handlers });

describe("the sessions of an operator", () => {
	test("show this session first, which has no button to end it", async () => {
		await open();
		const [card] = [await findByRole("region", "Sessions")];
		const items = allByRole("listitem", undefined, card).map(textOf);
		expect(items).toEqual([
			expect.stringContaining("This session"),
			expect.stringContaining("Sign out"),
		]);
		expect(items[0]).toContain("203.0.113.7");
		expect(items[0]).not.toContain("Sign out");
	});

	test("end one by one", async () => {
		const server = await open({ [REVOKE]: json({ success: true }) });
		const button = await findByRole("button", /^Sign out of Firefox/);
		server.answer({ [ACCOUNT]: ONLY_THIS });
		await click(button);
		await findTexts("Session ended.");
		expect(server.sent(REVOKE)).toMatchObject([{ body: { id: otherSession.id } }]);
		await until(() => allByRole("button", /^Sign out of/).length === 0);
		expect(allByRole("button", /^Sign out of/)).toEqual([]);
	});

	test("end all at once, except this one", async () => {
		const server = await open({ [REVOKE_OTHERS]: json({ success: true }) });
		await findByRole("region", "Sessions");
		server.answer({ [ACCOUNT]: ONLY_THIS });
		await click("Sign out everywhere else");
		await findTexts("You are signed out everywhere else.");
		await until(() => allByRole("button", "Sign out everywhere else").length === 0);
		expect(textOf(byRole("region", "Sessions"))).not.toContain("198.51.100.9");
	});

	test.each([
		["one session", /^Sign out of Firefox/, REVOKE],
		["all others", "Sign out everywhere else", REVOKE_OTHERS],
	])("stay if the service does not end %s, and say why", async (_, name, request) => {
		await open({ [request]: refuse(401, "UNAUTHORIZED", "You are not signed in") });
		await click(name);
		await findTexts("You are not signed in");
		expect(textOf(byRole("region", "Sessions"))).toContain("198.51.100.9");
	});
});
