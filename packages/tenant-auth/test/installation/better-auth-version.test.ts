import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { keepLog } from "../support/processes/kept-log";
import { makeInstance } from "../support/worlds/instance";

/** What an instance logs at start if Better Auth has this version. */
async function logOf(version: string) {
	const { lines, logger } = keepLog();
	const versioned = { id: "version", init: () => ({ context: { version } }) };
	const { auth } = await makeInstance({ plugins: [versioned], logger, pluginsFirst: true });
	await auth.$context;
	return lines;
}

describe("at start,", () => {
	it.each(["1.8.0", "1.8.0-beta.1", "1.10.2", "2.0.0"])(
		"Better Auth %s, which is newer than all tested versions, gets one warning",
		async (version) => {
			expect(await logOf(version)).toEqual([
				`tenantAuth: not tested with Better Auth ${version}, only with versions below 1.8. Run assertTenantIsolation and your own tests before you use it`,
			]);
		},
	);

	it.each(["1.7.3", "1.7.99"])("Better Auth %s gets none", async (version) => {
		expect(await logOf(version)).toEqual([]);
	});
});

it("the package accepts the versions that do not get a warning", () => {
	const { peerDependencies } = manifest;
	for (const name of ["better-auth", "@better-auth/core", "@better-auth/kysely-adapter"] as const) {
		expect(peerDependencies[name]).toBe(">=1.7.3 <1.8");
	}
});
