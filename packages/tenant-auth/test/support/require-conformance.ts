import type { BetterAuthPlugin } from "better-auth";
import { assertTenantIsolation } from "better-auth-tenant/conformance";
import { expect } from "vitest";
import { makeInstance } from "./instance";

/** Checked for a plugin that adds no endpoints: the endpoints of core that it changes. */
const CORE = [
	"getSession",
	"updateUser",
	"listSessions",
	"signOut",
	"signInSocial",
	"callbackOAuth",
	"linkSocialAccount",
];

const endpointsOf = async (plugins: BetterAuthPlugin[]) =>
	Object.keys((await makeInstance({ plugins })).auth.api);

/** Runs the conformance check over every endpoint that a plugin adds. */
export async function requireConformance(make: () => BetterAuthPlugin): Promise<void> {
	const core = new Set(await endpointsOf([]));
	const added = (await endpointsOf([make()])).filter((name) => !core.has(name));
	const only = added.length > 0 ? added : CORE;
	const { auth } = await makeInstance({ plugins: [make()], onAPIError: { onError: () => {} } });
	const { endpoints, notes } = await assertTenantIsolation(auth, { only });
	expect(endpoints.map(({ name }) => name).sort()).toEqual(only.sort());
	expect(endpoints.filter((it) => it.inputNeverAccepted)).toEqual([]);
	expect(notes).toEqual([]);
}
