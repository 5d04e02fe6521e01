// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { discord, github } from "../../support/fixtures/oauth-providers";
import { operatorWithout } from "../../support/fixtures/operators";
import { openPolicy } from "../../support/fixtures/policies";
import { serviceInfo } from "../../support/fixtures/service";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import {
	allByRole,
	byLabel,
	byRole,
	findByLabel,
	findByRole,
	findTexts,
	reasonOf,
	textOf,
} from "../../support/screen";
import { choose, click, type } from "../../support/user";

const GET = "GET /tenant/policy/get";
const UPDATE = "POST /tenant/policy/update";

const open = (handlers: Handlers = {}): Promise<FakeServer> =>
	openConsole(`/tenants/${acme.id}/policy`, {
		[GET]: json(openPolicy),
		"GET /tenant/oauth-config/effective": json([github, discord]),
		...handlers,
	});

describePageStates("the policy of a tenant", {
	open,
	request: GET,
	filled: { answer: json(openPolicy), shows: ["Who may sign up", "Shortest password"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("policy:get")) },
		shows: ["You may not see this page", "policy:get"],
	},
});

const changed = {
	...openPolicy,
	signUp: { mode: "invite", emailDomains: ["acme.example", "acme.test"] },
	session: { lifetime: 12 * 60 * 60, idleTime: null },
};

async function fill(): Promise<void> {
	await choose("Who may sign up", "Only with an invitation");
	await type("Email domains", "acme.example, acme.test");
	await type("Ends after", "12");
}

describeFormStates("the form for the policy", {
	open,
	request: UPDATE,
	fill,
	submit: "Save policy",
	valid: {
		answer: json(changed),
		sends: { tenantId: acme.id, ...changed },
		shows: ["Policy saved."],
	},
	invalid: {
		"a password length that is not a number": {
			change: () => type("Shortest password", "many"),
			shows: ["Enter a whole number from 1 to 128."],
		},
		"a session of less than a minute": {
			change: () => type("Ends after", "0"),
			shows: ["Enter a time from 1 minute to 365 days."],
		},
	},
	conflict: {
		"a policy that the app cannot enforce": {
			answer: refuse(400, "INVALID_POLICY", "This app cannot enforce the policy"),
			shows: ["This app cannot enforce the policy"],
		},
	},
	keeps: { "Email domains": "acme.example, acme.test", "Ends after": "12" },
});

describe("the policy of a tenant, in use", () => {
	test("says why it could not load the rules of the service, and loads again", async () => {
		const server = await open({
			"GET /service/info": refuse(503, "STORAGE_UNAVAILABLE", "The database is not available."),
		});
		const alert = await findByRole("alert");
		expect(textOf(alert)).toContain("The database is not available.");
		server.answer({ "GET /service/info": json(serviceInfo) });
		await click(byRole("button", "Try again", alert));
		await findTexts("Who may sign up");
	});

	test("does not save a policy with which nobody can sign in", async () => {
		await open({
			[GET]: json({ ...openPolicy, signIn: { ...openPolicy.signIn, methods: ["passkey"] } }),
		});
		await click(await findByRole("checkbox", "Passkey"));
		await findTexts("With no method, nobody can sign in.");
		expect(reasonOf(byRole("button", "Save policy"))).toBe(
			"Complete and correct the fields first.",
		);
	});

	test("offers the providers that are set up, and the methods of the service", async () => {
		const server = await open({ [UPDATE]: json(openPolicy) });
		await findTexts("Not available in this service: Code by email");
		await click(await findByRole("checkbox", "All providers that are set up"));
		expect(allByRole("checkbox", "Discord")).toEqual([]);
		await click(byRole("checkbox", "GitHub"));
		await click("Save policy");
		await findTexts("Policy saved.");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { signIn: { providers: [] } } }]);
	});

	test("forgets changes that the user discards", async () => {
		await open();
		await choose("Who may sign up", "Nobody");
		await findTexts("You create the users, here or through the API.");
		await click("Discard changes");
		expect(byLabel<HTMLSelectElement>("Who may sign up").value).toBe("open");
		expect(reasonOf(byRole("button", "Save policy"))).toBe("Nothing has changed.");
	});

	test("can only be read without the right to change it", async () => {
		await open({ "GET /operator/me": json(operatorWithout("policy:update")) });
		const field = await findByLabel("Who may sign up");
		expect(field.closest("fieldset")?.disabled).toBe(true);
		expect(allByRole("button", "Save policy")).toEqual([]);
	});

	test("lets an admin change who signs up, and not how owners get in", async () => {
		const server = await openAdminPage("/policy", {
			"GET /tenant/permissions": json(permissionsOf("admin")),
			[GET]: json(openPolicy),
			[UPDATE]: json(openPolicy),
			"GET /tenant/oauth-config/effective": json([github]),
		});
		const isOpen = async (label: string) =>
			(await findByLabel(label)).closest("fieldset:disabled") === null;
		expect(await isOpen("Who may sign up")).toBe(true);
		expect(await isOpen("Ends after")).toBe(false);
		for (const card of ["Sign-in", "Sessions", "Second factor"]) {
			expect(byRole("region", card).textContent).toContain("Only an owner can change this.");
		}
		await choose("Who may sign up", "Nobody");
		await click("Save policy");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { signUp: { mode: "closed" } } }]);
	});

	test("says that the service has no second factor", async () => {
		await open({
			"GET /service/info": json({
				...serviceInfo,
				policy: { ...serviceInfo.policy, secondFactor: false },
			}),
		});
		await findTexts("Second factor Not available in this service.");
		expect(allByRole("switch", "Users need a second factor")).toEqual([]);
	});
});
