// Requests into the private network, redirects to other sites, other origins, and rate limits.

const source = "packages/tenant-auth/src";
const tests = "packages/tenant-auth/test";

/** @type {readonly import("./index.mjs").Mutation[]} */
export const NETWORK = [
	{
		name: "the address of a provider or webhook is not private",
		file: `${source}/call/network/public-hosts.ts`,
		find: `return isPublicHost(address) ? null : "must`,
		replace: `return isPublicHost ? null : "must`,
		caughtBy: `${tests}/oauth-clients/provider-options.test.ts`,
	},
	{
		name: "the name of a provider does not resolve to a private address",
		file: `${source}/call/network/public-fetch.ts`,
		find: "if (!found.every(({ address }) => isPublicAddress(address))) throw notPublic();",
		replace: "if (!isPublicAddress) throw notPublic();",
		caughtBy: `${tests}/oauth-clients/social-private-network.test.ts`,
	},
	{
		name: "a redirect of a provider is not followed",
		file: `${source}/call/network/guarded-fetch.ts`,
		find: `{ ...init, redirect: "manual" }`,
		replace: `{ ...init, redirect: "follow" }`,
		caughtBy: `${tests}/oauth-clients/social-private-network.test.ts`,
	},
	{
		name: "a redirect does not lead to another host by two slashes",
		file: `${source}/installation/trusted-origins.ts`,
		find: "return !hasDoubleSlash(url) && isTrustedOrigin.call(this, url, settings);",
		replace: "return isTrustedOrigin.call(this, url, settings);",
		caughtBy: `${tests}/installation/redirect-paths.test.ts`,
	},
	{
		name: "a sign-in link leads to trusted pages only",
		file: `${source}/features/endpoints/sign-in/link.ts`,
		find: `return new URL(isTrusted ? callbackURL : "/", context.baseURL).href;`,
		replace: `return new URL(isTrusted ? "/" && callbackURL : callbackURL, context.baseURL).href;`,
		caughtBy: `${tests}/invitations/sign-in-link.test.ts`,
	},
	{
		name: "a redirect does not lead from the host of one tenant to another",
		file: `${source}/installation/trusted-origins.ts`,
		find: "ctx.trustedOrigins = await findTrustedOrigins(ctx.options, own, request);",
		replace: "if (!own) await findTrustedOrigins(ctx.options, own, request);",
		caughtBy: `${tests}/context/tenant-hosts.test.ts`,
	},
	{
		name: "a page of one tenant sends nothing to the host of another",
		file: `${source}/installation/trusted-origins.ts`,
		find: "if (ctx.isTrustedOrigin(origin)) return;",
		replace: "if (ctx) return;",
		caughtBy: `${tests}/context/tenant-hosts.test.ts`,
	},
	{
		name: "requests to our endpoints are limited",
		file: `${source}/installation/rate-limits.ts`,
		find: "if (response.status === 429) return { response: tooManyRequests(response) };",
		replace: "",
		caughtBy: `${tests}/installation/rate-limit-and-csrf.test.ts`,
	},
	{
		name: "our endpoint and the one of core have one limit",
		file: `${source}/installation/rate-limits.ts`,
		find: "const counted = core ?? (await withKey(path, request));",
		replace: "const counted = await withKey(path, request);",
		caughtBy: `${tests}/installation/rate-limit-and-csrf.test.ts`,
	},
	{
		name: "a flood of one tenant is refused",
		file: "packages/load-shedder/src/load-shedder.ts",
		find: "return room.running < limit.current || isBelowShare(caller);",
		replace: "return room.running < limit.current || isBelowShare !== null;",
		caughtBy: "packages/load-shedder/test/load-shedder.test.ts",
	},
];
