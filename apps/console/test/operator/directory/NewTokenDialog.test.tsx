// @vitest-environment happy-dom
import { json, refuse } from "../../support/answers";
import { directory } from "../../support/fixtures/directory";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { choose, click, type } from "../../support/user";

const CREATE = "POST /tenant/scim/create-token";

describeFormStates("the form for a token", {
	open: async (handlers) => {
		const server = await openConsole("/tenants/tenant-acme/directory", {
			"GET /tenant/scim/get": json(directory),
			...handlers,
		});
		await click("New token");
		return server;
	},
	request: CREATE,
	fill: async () => {
		await type("Name", " Entra ");
		await choose("Expires", "In 90 days");
	},
	submit: "Create token",
	valid: {
		answer: json({ ...directory.tokens[0], token: "the-secret-token" }),
		sends: { tenantId: "tenant-acme", name: "Entra", expiresInDays: 90 },
		shows: ["it is not shown again", "the-secret-token"],
	},
	invalid: { "an empty name": { change: () => type("Name", ""), field: "Name" } },
	conflict: {
		"too many tokens": {
			answer: refuse(409, "TOO_MANY_SCIM_TOKENS", "A tenant has at most 5 SCIM tokens"),
			shows: ["A tenant has at most 5 SCIM tokens"],
		},
	},
	keeps: { Name: " Entra ", Expires: "90" },
});
