// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { list } from "../../support/answers";
import { noticeEmail, resetEmail } from "../../support/fixtures/service-state";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const REQUEST = "GET /service/outbox";

describePageStates("the outbox", {
	open: (handlers) => openConsole("/outbox", handlers),
	request: REQUEST,
	filled: {
		answer: list([resetEmail, noticeEmail]),
		shows: ["Set a new password", "To ada@acme.example", "You have an account already"],
	},
	empty: { answer: list([]), shows: ["No emails yet"] },
});

describe("the outbox, in use", () => {
	test("opens the link of an email, if it has one", async () => {
		await openConsole("/outbox", { [REQUEST]: list([resetEmail, noticeEmail]) });
		const link = await findByRole("link", "Open link");
		expect(link.getAttribute("href")).toBe("http://localhost:3000/t/acme/new-password?token=t");
	});

	test("finds emails by recipient, and says so if there is none", async () => {
		await openConsole("/outbox", { [REQUEST]: list([resetEmail, noticeEmail]) });
		await findTexts("Set a new password");
		await type("Search by recipient or subject", "BOB@");
		await pass(250);
		expect(allByRole("region").map(({ textContent }) => textContent)).toEqual([
			expect.stringContaining("You have an account already"),
		]);
		await type("Search by recipient or subject", "nobody");
		await pass(250);
		await findTexts("No emails match “nobody”");
	});

	test("shows a new email without a reload", async () => {
		const server = await openConsole("/outbox", { [REQUEST]: list([]) });
		await findTexts("No emails yet");
		server.answer({ [REQUEST]: list([resetEmail]) });
		await pass(5000);
		await findTexts("Set a new password");
		server.answer({ [REQUEST]: list([noticeEmail]) });
		await click("Refresh");
		await findTexts("You have an account already");
		expect(byRole("heading", "Outbox")).toBeTruthy();
	});
});
