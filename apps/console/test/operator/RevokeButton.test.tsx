// @vitest-environment happy-dom
import { json, list, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { directory } from "../support/fixtures/directory";
import { deploymentKey } from "../support/fixtures/operator-accounts";
import { describeFormStates } from "../support/form-states";
import { openConsole } from "../support/open-console";
import { click, type } from "../support/user";

/** Everything that can be revoked. */
const REVOCATIONS = [
	{
		what: "key",
		name: "Deployment",
		path: "/keys",
		loads: { "GET /operator/key/list": list([deploymentKey]) } as Handlers,
		request: "POST /operator/key/revoke",
		sends: { id: "key-1" },
		consequence: "Programs that use it are refused at once.",
	},
	{
		what: "token",
		name: "Okta",
		path: "/tenants/tenant-acme/directory",
		loads: { "GET /tenant/scim/get": json(directory) } as Handlers,
		request: "POST /tenant/scim/revoke-token",
		sends: { tenantId: "tenant-acme", id: "ba_scim_credential_1" },
		consequence: "The directory that uses it is refused at once",
	},
];

for (const { what, name, path, loads, request, sends, consequence } of REVOCATIONS) {
	const confirm = `Type the name “${name}” to confirm`;
	describeFormStates(`the revocation of a ${what}`, {
		open: async (handlers: Handlers) => {
			const server = await openConsole(path, { ...loads, ...handlers });
			await click(`Revoke ${name}`);
			return server;
		},
		request,
		fill: () => type(confirm, name),
		submit: `Revoke ${what}`,
		valid: { answer: json({ success: true }), sends, shows: [`${name} was revoked.`] },
		invalid: {
			"a revocation that is not confirmed": {
				change: () => type(confirm, name.slice(1)),
				shows: [consequence],
			},
		},
		conflict: {
			[`a ${what} that is gone`]: {
				answer: refuse(404, "NOT_FOUND", "It was not found"),
				shows: ["It was not found"],
			},
		},
		keeps: { [confirm]: name },
	});
}
