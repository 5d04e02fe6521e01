import type { BetterAuthOptions } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { describe, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { endpointsOf, makeDeterministic, makePair, requireSame } from "./compare";
import { officialPlugins } from "./official-plugins";
import { KINDS } from "./requests";

makeDeterministic();

/** Refused beside `tenantAuth()`. */
const REFUSED = new Set(["oauth-proxy", "oauth-popup"]);

const apps: [name: string, options: () => BetterAuthOptions, watched: boolean][] = [
	["no plugins and hooks", () => ({}), false],
	["all plugins and hooks", () => ({ plugins: officialPlugins() }), true],
	["tenants", () => ({ plugins: [tenantAuth()] }), false],
	[
		"tenants, all plugins and hooks",
		() => ({
			plugins: [tenantAuth(), ...officialPlugins().filter(({ id }) => !REFUSED.has(id))],
		}),
		true,
	],
];

describe("every kind of request to every endpoint", () => {
	it.each(apps)("has the same effects with %s", async (_, options, watched) => {
		const pair = await makePair(options, { watched });
		for (const endpoint of notEmpty(endpointsOf(pair))) {
			await requireSame(pair, endpoint, Object.keys(KINDS));
		}
	});
});
