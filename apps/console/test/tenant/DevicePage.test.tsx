// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { sessionEnded } from "../support/fixtures/adas-account";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byLabel, findByRole, findTexts, textOf } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

const LOOK = "GET /device";
const APPLICATION = "GET /oauth2/public-client";
const ALLOW = "POST /device/approve";
const DENY = "POST /device/deny";
const asked = {
	...{ user_code: "WDJBMJHT", status: "pending" },
	...{ client_id: "tv", scope: "openid email wiki:read" },
};
const unknown = refuse(400, "", "Invalid user code");

const open = (path = "/device?user_code=WDJB-MJHT", handlers: Handlers = {}) =>
	openTenantPage(path, {
		"GET /get-session": json(adasSession),
		[LOOK]: json(asked),
		[APPLICATION]: json({ client_name: "Television" }),
		[ALLOW]: json({ success: true }),
		[DENY]: json({ success: true }),
		...handlers,
	});

async function openReview(handlers: Handlers = {}) {
	const server = await open(undefined, handlers);
	await click("Continue");
	await findByRole("button", "Allow");
	return server;
}

describeFormStates("the form for the code of a device", {
	open: (handlers) => open("/device", handlers),
	request: LOOK,
	fill: () => type("Code", "WDJB-MJHT"),
	submit: "Continue",
	valid: { answer: json(asked), sends: null, shows: ["Allow Television on your device?"] },
	invalid: { "an empty code": { change: () => type("Code", ""), field: "Code" } },
	conflict: {
		"a code that is unknown or has expired": {
			answer: unknown,
			shows: ["This code is not valid, or it has expired."],
		},
	},
	keeps: { Code: "WDJB-MJHT" },
	expired: sessionEnded,
});

describe("the page on which a user allows a device", () => {
	test("asks for the code that the device shows", async () => {
		const server = await open("/device");
		await findTexts("Connect a device", "Enter the code that your device shows.");
		await type("Code", "wdjb-mjht");
		await click("Continue");
		await findTexts("Allow Television on your device?");
		expect(server.sent(LOOK).map(({ query }) => query)).toEqual([{ user_code: "wdjb-mjht" }]);
	});

	test("sends nothing of a code in its URL before the user has compared it", async () => {
		const server = await open();
		await findTexts("Check that your device shows the same code.");
		expect(byLabel<HTMLInputElement>("Code").value).toBe("WDJB-MJHT");
		expect(server.sent(LOOK)).toEqual([]);
	});

	test("says which application wants what, from which user, and warns of codes of others", async () => {
		await openReview();
		await findTexts(
			"You are signed in as ada@acme.example.",
			"Television wants to:",
			"Go on only if you started this yourself",
			"the device in front of you shows the code WDJB-MJHT.",
			"If somebody sent you the code or a link, do not allow it",
		);
		expect(allByRole("listitem").map(textOf)).toEqual([
			"Know who you are",
			"See your email",
			"Use the API of your organization: wiki:read",
		]);
	});

	test.each([
		["Allow", ALLOW, "Your device is connected"],
		["Do not allow", DENY, "Not allowed"],
	])("sends nothing until the user decides: %s", async (button, request, title) => {
		const server = await openReview();
		expect([...server.sent(ALLOW), ...server.sent(DENY)]).toEqual([]);
		await click(button);
		await findTexts(title);
		const sent = [...server.sent(ALLOW), ...server.sent(DENY)];
		expect(sent.map(({ body }) => body)).toEqual([{ userCode: "WDJB-MJHT" }]);
		expect(server.sent(request)).toHaveLength(1);
	});

	test.each([
		["is unknown or has expired", unknown],
		["another user has looked at", json({ user_code: "WDJBMJHT", status: "pending" })],
		["is used already", json({ ...asked, status: "approved" })],
	])("does not take a code that %s", async (_, answer) => {
		await open(undefined, { [LOOK]: answer });
		await click("Continue");
		await findTexts("This code is not valid, or it has expired. Start again on your device.");
	});

	test.each([
		["too many codes", refuse(429, "", ""), "Too many attempts"],
		["a session that has ended", sessionEnded.answer, sessionEnded.shows[0] as string],
	])("says that the service refuses %s", async (_, answer, text) => {
		await open(undefined, { [LOOK]: answer });
		await click("Continue");
		await findTexts(text);
	});

	test("lets the user type another code if this one expires meanwhile", async () => {
		await openReview({ [ALLOW]: unknown });
		await click("Allow");
		await findTexts("This code is not valid, or it has expired. Start again on your device.");
		await click("Enter another code");
		expect(await findByRole("button", "Continue")).toBeTruthy();
	});

	test("says that an application is gone", async () => {
		await open(undefined, { [APPLICATION]: refuse(404, "CLIENT_NOT_FOUND", "Not found") });
		await click("Continue");
		await findTexts("This application is not available");
		expect(allByRole("button", "Allow")).toEqual([]);
	});

	test("says why it could not load, and loads again when the user asks for it", async () => {
		const server = await open(undefined, { "GET /get-session": refuse(503, "", "") });
		await findTexts("Could not load this page");
		server.answer({ "GET /get-session": json(adasSession) });
		await click("Try again");
		expect(await findByRole("button", "Continue")).toBeTruthy();
	});

	test("leads somebody who is not signed in to the sign-in page, and back", async () => {
		await open(undefined, { "GET /get-session": json(null) });
		await until(() => location.pathname === "/t/acme/sign-in");
		const target = new URLSearchParams(location.search).get("callbackURL");
		expect(target).toBe("/t/acme/device?user_code=WDJB-MJHT");
	});
});
