// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithRole } from "../../support/fixtures/operators";
import { newSecondFactor } from "../../support/fixtures/own-account";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import {
	allByRole,
	byLabel,
	byRole,
	findByLabel,
	findByRole,
	findTexts,
	textOf,
} from "../../support/screen";
import { until } from "../../support/time";
import { click, type } from "../../support/user";

const SIGN_IN = "POST /sign-in/email";
const OPEN = "POST /operator/session/open";
const owner = operatorWithRole("owner");
const NOBODY: Handlers = { "GET /operator/me": refuse(401, "UNAUTHORIZED", "Unauthorized") };
const TENANTS: Handlers = { "GET /tenant/list": list([]) };

/** The service knows the operator as soon as the session is open. */
function signedOut(handlers: Handlers): Handlers {
	let isOpen = false;
	return {
		...TENANTS,
		[OPEN]: () => {
			isOpen = true;
			return json(owner)();
		},
		"GET /operator/me": () => (isOpen ? json(owner) : refuse(401, "UNAUTHORIZED", "No"))(),
		...handlers,
	};
}

const open = (handlers: Handlers) => openConsole("/tenants", handlers);

async function fillAccount(): Promise<void> {
	await type("Email", "olga@service.example");
	await type("Password", "correct horse");
}

describeFormStates("the form for an account", {
	open: (handlers) => open(signedOut(handlers)),
	request: SIGN_IN,
	fill: fillAccount,
	submit: "Sign in",
	valid: {
		answer: json({ redirect: false }),
		sends: { email: "olga@service.example", password: "correct horse" },
		shows: ["No tenants yet"],
	},
	invalid: {
		"an email without a domain": { change: () => type("Email", "olga"), field: "Email" },
		"an empty password": { change: () => type("Password", ""), field: "Password" },
	},
	conflict: {
		"a wrong password": {
			answer: refuse(401, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password"),
			shows: ["Invalid email or password"],
		},
	},
	// Another password has to be typed anyway.
	keeps: { Email: "olga@service.example", Password: "" },
	expired: null,
});

describe("the form for a management key", () => {
	async function openForm(handlers: Handlers = {}) {
		const server = await open({ ...signedOut({}), ...handlers });
		await click(await findByLabel("Management key"));
		const form = byRole<HTMLButtonElement>("button", "Continue").form as HTMLElement;
		return { server, field: byLabel("Management key", form), form };
	}

	test("sends the key that the user typed, and opens the console", async () => {
		const { server, form } = await openForm();
		await type("Management key", " tak_secret ", form);
		await click("Continue");
		await findTexts("No tenants yet");
		expect(server.sent(OPEN).map(({ body }) => body)).toEqual([{ key: "tak_secret" }]);
	});

	test("does not send an empty key", async () => {
		const { server, field } = await openForm();
		expect(field.checkValidity()).toBe(false);
		await click("Continue");
		expect(server.sent(OPEN)).toEqual([]);
	});

	test("says that the service rejects a key, and keeps the input", async () => {
		const { field, form } = await openForm({
			[OPEN]: refuse(401, "KEY_NOT_VALID", "The key is not valid"),
		});
		await type("Management key", "tak_revoked", form);
		await click("Continue");
		await findTexts("The key is not valid");
		expect(field.value).toBe("tak_revoked");
		expect(field.getAttribute("aria-invalid")).toBe("true");
	});
});

describe("the sign-in page of the console", () => {
	test("asks for the code of an operator who has a second factor", async () => {
		const server = await open({ ...NOBODY, [SIGN_IN]: json({ twoFactorRedirect: true }) });
		await fillAccount();
		await click("Sign in");
		await findByRole("heading", "Enter the code");
		expect(server.sent(OPEN)).toEqual([]);
	});

	test("lets an operator without a second factor set one up, and does not ask for the password again", async () => {
		const server = await open({
			...NOBODY,
			[SIGN_IN]: json({ redirect: false }),
			[OPEN]: json({ ...owner, status: "second-factor-required" }),
			"POST /operator/account/set-up-second-factor": json(newSecondFactor),
		});
		await fillAccount();
		await click("Sign in");
		await findTexts("Set up a second factor", "JBSWY3DPEHPK3PXP");
		expect(server.sent("POST /operator/account/set-up-second-factor")).toMatchObject([
			{ body: { password: "correct horse" } },
		]);
	});

	test("says to a user who is not an operator who they are, and lets them sign out", async () => {
		const server = await open({
			"GET /operator/me": json({
				...{ status: "not-an-operator", id: "user-ada" },
				...{ email: "ada@acme.example", name: "Ada" },
			}),
			"POST /operator/session/close": json({ success: true }),
		});
		await findTexts("You are signed in as ada@acme.example, who is not an operator.");
		server.answer(NOBODY);
		await click("Sign out");
		await until(() => allByRole("button", "Sign out").length === 0);
		await findTexts("Sign in to the console.");
		expect(textOf(document.body)).not.toContain("ada@acme.example");
	});
});
