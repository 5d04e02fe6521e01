// Sign-in with an identity provider, and what a tenant that controls one cannot do.

const source = "packages/tenant-auth/src";
const tests = "packages/tenant-auth/test";

/** @type {readonly import("./index.mjs").Mutation[]} */
export const IDENTITY = [
	{
		name: "a flow does not finish if the OAuth config changed meanwhile",
		file: `${source}/installation/social-providers.ts`,
		find: "if (started && bound && isSameFlow(started, bound.flow)) return;",
		replace: "if (started && bound && isSameFlow) return;",
		caughtBy: `${tests}/oauth-clients/social-config-change.test.ts`,
	},
	{
		name: "a flow does not finish at the callback of another provider",
		file: `${source}/context/oauth-flow.ts`,
		find: "began.providerId === now.providerId &&",
		replace: "",
		caughtBy: `${tests}/context/oauth-flow.test.ts`,
	},
	{
		name: "a flow of the platform does not finish at the callback of tenants",
		file: `${source}/installation/social-providers.ts`,
		find: "if (findState()?.isTenantOnly) return NONE;",
		replace: "",
		caughtBy: `${tests}/oauth-clients/social-state.test.ts`,
	},
	{
		name: "a flow of one tenant does not finish at the own callback of another",
		file: `${source}/endpoints/sign-in/callback.ts`,
		find: "state.bindToHost(tenantId);",
		replace: "",
		caughtBy: `${tests}/oauth-clients/mix-up.test.ts`,
	},
	{
		name: "a flow of a tenant's own provider does not finish at core's callback",
		file: `${source}/installation/social-providers.ts`,
		find: "if (isOurs(findState()?.endpoint?.path)) return;",
		replace: "if (isOurs) return;",
		caughtBy: `${tests}/oauth-clients/mix-up.test.ts`,
	},
	{
		name: "a code is not sent to another server",
		file: `${source}/oauth-clients/sent-codes.ts`,
		find: "if (sent.to !== undefined) return sent.to !== server;",
		replace: "if (sent.to !== undefined) return false;",
		caughtBy: `${tests}/oauth-clients/mix-up.test.ts`,
	},
	{
		name: "an answer names its issuer if the provider announced it",
		file: `${source}/oauth-clients/own-provider.ts`,
		find: "return sendsIssuer && answer?.iss === undefined;",
		replace: "return sendsIssuer && false;",
		caughtBy: `${tests}/oauth-clients/own-provider-attacks.test.ts`,
	},
	{
		name: "an ID token has the nonce of its flow",
		file: `${source}/openid/id-token.ts`,
		find: "if (nonce !== null && claims.nonce !== nonce) throw",
		replace: "if (nonce === undefined) throw",
		caughtBy: `${tests}/oauth-clients/own-provider-attacks.test.ts`,
	},
	{
		name: "a link finishes in the session of the user who started it",
		file: `${source}/installation/social-providers.ts`,
		find: "if (link) await requireLinkingUser(ctx, link.userId, bound);",
		replace: "if (!requireLinkingUser) return NONE;",
		caughtBy: `${tests}/oauth-clients/social-linking.test.ts`,
	},
	{
		name: "a tenant's provider does not join a user by an email that it calls verified",
		file: `${source}/oauth-clients/provider.ts`,
		find: "const emailVerified = isIn(domains, info.user.email) && isVerified(provider.id, info);",
		replace: "const emailVerified = isVerified(provider.id, info);",
		caughtBy: `${tests}/oauth-clients/social-takeover.test.ts`,
	},
	{
		name: "a tenant's provider does not get the account of another issuer",
		file: `${source}/oauth-clients/account-issuer.ts`,
		find: `if (owner?.kind !== "owned" || isOfCurrentIssuer(owner.account)) return owner;`,
		replace: "if (isOfCurrentIssuer) return owner;",
		caughtBy: `${tests}/oauth-clients/social-takeover.test.ts`,
	},
	{
		name: "a token is sent to the client that obtained it only",
		file: `${source}/oauth-clients/account-issuer.ts`,
		find: `if (!isOfClient(account, issuer)) throw tenantError("OAUTH_CLIENT_CHANGED");`,
		replace: "",
		caughtBy: `${tests}/oauth-clients/social-core-paths.test.ts`,
	},
	{
		name: "a credential can be decrypted in its own row only",
		file: `${source}/database/sealed-values.ts`,
		find: `if (!isBound || typeof value !== "string")`,
		replace: `if (typeof value !== "string")`,
		caughtBy: `${tests}/oauth-clients/cipher.test.ts`,
	},
	{
		name: "a hand-over finishes in the browser that started the flow",
		file: `${source}/domains/hand-over.ts`,
		find: "return Boolean(started) && started === parameters.state;",
		replace: "return started !== parameters;",
		caughtBy: `${tests}/domains/custom-domain-sign-in.test.ts`,
	},
	{
		name: "the code of a hand-over works once",
		file: `${source}/domains/hand-over.ts`,
		find: "const found = await ctx.context.internalAdapter.consumeVerificationValue(",
		replace: "const found = await ctx.context.internalAdapter.findVerificationValue(",
		caughtBy: `${tests}/domains/custom-domain-sign-in.test.ts`,
	},
	{
		name: "the code of a hand-over works at its own host only",
		file: `${source}/domains/hand-over.ts`,
		find: "if (host !== new URL(ctx.context.baseURL).hostname) return null;",
		replace: "if (host === null) return null;",
		caughtBy: `${tests}/domains/custom-domain-sign-in.test.ts`,
	},
	{
		name: "a domain is verified by its DNS record only",
		file: `${source}/domains/store.ts`,
		find: `if (!records.includes(recordValueOf(row))) throw tenantError("DNS_RECORD_NOT_FOUND");`,
		replace: "",
		caughtBy: `${tests}/domains/domains.test.ts`,
	},
	{
		name: "a domain stays with the tenant that has verified it",
		file: `${source}/domains/store.ts`,
		find: `if (other && records.includes(recordValueOf(other))) throw tenantError("DOMAIN_TAKEN");`,
		replace: "",
		caughtBy: `${tests}/domains/domains.test.ts`,
	},
];
