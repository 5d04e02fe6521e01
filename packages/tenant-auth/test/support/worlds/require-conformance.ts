import type { BetterAuthPlugin } from "better-auth";
import { assertTenantIsolation } from "better-auth-tenant/conformance";
import { expect } from "vitest";
import { makeInstance } from "./instance";

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

/** These need the metadata of a real identity provider. The cross-tenant matrix registers one. */
const NOT_GUESSED = ["registerSSOProvider"];

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
	const only = added.length > 0 ? added : CORE;
	const { endpoints, notes } = await assertTenantIsolation(auth, { only });
	expect(endpoints.map(({ name }) => name).sort()).toEqual(only.sort());
	const never = endpoints.filter((it) => it.inputNeverAccepted).map(({ name }) => name);
	expect(never.filter((name) => !NOT_GUESSED.includes(name))).toEqual([]);
	expect(notes).toEqual([]);
}
