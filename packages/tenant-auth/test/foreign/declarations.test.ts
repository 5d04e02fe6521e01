import { apiKey } from "@better-auth/api-key";
import { electron } from "@better-auth/electron";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { getAuthTables } from "better-auth/db";
import { oneTap } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { FOREIGN } from "../../src/call/foreign";
import { core } from "../../src/call/foreign/core";
import type { ForeignPlugin } from "../../src/call/foreign/foreign-plugin";
import { others } from "../../src/call/foreign/others";
import { scimPlugin } from "../support/providers/scim";
import { makeFakeStripe, stripePlugin } from "../support/providers/stripe";
import { everyPlugin } from "../support/worlds/every-plugin";
import { tablesOf } from "./tables-of";

const installed = [
	...Object.values(everyPlugin).map((make) => make()),
	...[apiKey(), electron(), oneTap(), passkey(), scimPlugin(), stripePlugin(makeFakeStripe())],
	oauthProvider({ loginPage: "/login", consentPage: "/consent", disableJwtPlugin: true }),
] as unknown as BetterAuthPlugin[];

const pathsOf = (endpoints: object) =>
	Object.values(endpoints).flatMap(({ path }: { path?: string }) => path ?? []);
const declaredPathsOf = ({ paths = {}, impersonationPaths = [] }: ForeignPlugin) => [
	...Object.keys(paths),
	...impersonationPaths,
];
const unknownOf = (declared: string[], known: string[]) =>
	declared.filter((it) => !known.includes(it));

describe("the declaration of", () => {
	const plugins = [...FOREIGN.values()].filter((plugin) => !others.includes(plugin));

	it("core has paths of core only", () => {
		const { api } = betterAuth({ baseURL: "http://localhost:3000" });
		expect(unknownOf(declaredPathsOf(core), pathsOf(api))).toEqual([]);
	});

	it.each(plugins)("$id has paths and tables of this plugin only", (declared) => {
		const plugin = installed.find(({ id }) => id === declared.id);
		expect(unknownOf(declaredPathsOf(declared), pathsOf(plugin?.endpoints ?? {}))).toEqual([]);
		// Other plugins add columns to the tables of this one.
		const withOrganizations = [everyPlugin.organization(), ...(plugin ? [plugin] : [])];
		const tables = Object.keys(getAuthTables({ plugins: withOrganizations }));
		expect(unknownOf(tablesOf(declared), tables)).toEqual([]);
	});
});
