import type { BetterAuthPlugin } from "better-auth";
import { assertTenantIsolation } from "better-auth-tenant/conformance";
import { expect } from "vitest";
import { makeInstance } from "./instance";
import { TEST_FULL } from "./variations";

/** Checked for a plugin without endpoints: the endpoints of core that it changes. */
const CORE = [
	"getSession",
	"updateUser",
	"listSessions",
	"signOut",
	"signInSocial",
	"callbackOAuth",
	"linkSocialAccount",
];

/** The cross-tenant matrix calls all endpoints of each plugin. This check needs only some of them. */
const ENOUGH = 8;

let ownEndpoints: Promise<Set<string>> | undefined;

/** The endpoints of core and of our own plugin. */
export function findOwnEndpoints(): Promise<Set<string>> {
	ownEndpoints ??= makeInstance().then(({ auth }) => new Set(Object.keys(auth.api)));
	return ownEndpoints;
}

/** Runs the conformance check on the endpoints that a plugin adds. */
export async function requireConformance(make: () => BetterAuthPlugin): Promise<void> {
	const own = await findOwnEndpoints();
	const { auth } = await makeInstance({ plugins: [make()], onAPIError: { onError: () => {} } });
	const added = Object.keys(auth.api).filter((name) => !own.has(name));
	const only = added.length > 0 ? chooseSome(added) : CORE;
	const { endpoints, notes } = await assertTenantIsolation(auth, { only });
	expect(endpoints.map(({ name }) => name).sort()).toEqual(only.sort());
	expect(endpoints.filter((it) => it.inputNeverAccepted)).toEqual([]);
	expect(notes).toEqual([]);
}

/** Endpoints from the whole list, not only from its start. */
function chooseSome(names: string[]): string[] {
	const step = TEST_FULL ? 1 : Math.ceil(names.length / ENOUGH);
	return names.filter((_, index) => index % step === 0);
}
