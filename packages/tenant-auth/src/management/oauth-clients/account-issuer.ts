import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { getAccountCookie } from "better-auth/cookies";
import { defineCallState } from "../../call/context/current-state";
import { rulesOf } from "../../call/context/endpoint-rules";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";
import { isOwnProviderId } from "../../providers";
import { tenantError } from "../../tenant-error";

type Account = Awaited<ReturnType<InternalAdapter["findAccounts"]>>[number];
type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;

/** Where a social account and its tokens come from. */
export interface AccountIssuer {
	/** The service that issues the account ids; `""` is the provider's own service. */
	authority: string;
	/** A digest of the client that obtains the tokens. */
	client: string;
	/** Whether it is the app's own client. */
	ofApp: boolean;
}

interface IssuerColumns {
	authority?: string | null;
	oauthClient?: string | null;
}

const issuerColumnsOf = (account: object): IssuerColumns => account;

/** What the running call knows. Outside of a tenant's social flow it is nothing. */
const call = defineCallState<{ issuer: AccountIssuer | null; accountsRead: Account[] }>(() => ({
	issuer: null,
	accountsRead: [],
}));

export function setIssuer(issuer: AccountIssuer): void {
	call.get().issuer = issuer;
}

/** Stores with each social account where it and its tokens come from. */
export const stampIssuer: Hooks = {
	account: {
		create: {
			before: async () => {
				const issuer = call.find()?.issuer;
				if (issuer) return { data: { authority: issuer.authority, oauthClient: issuer.client } };
			},
		},
		update: {
			before: async (account) => {
				const issuer = call.find()?.issuer;
				if (issuer && ("accessToken" in account || "refreshToken" in account)) {
					return { data: { oauthClient: issuer.client } };
				}
			},
		},
	},
};

/**
 * Another plugin may sign in users by accounts too, such as `@better-auth/sso`, where a user can choose
 * the id of a provider. It never gets an account of a tenant's own identity provider.
 */
function isOfCurrentIssuer(account: Pick<Account, "providerId">): boolean {
	const issuer = call.find()?.issuer;
	if (!issuer) return !isOwnProviderId(account.providerId);
	return (issuerColumnsOf(account).authority ?? "") === issuer.authority;
}

/** Keeps accounts of different issuers apart, and remembers which accounts were read. */
export function separateIssuers(accounts: InternalAdapter): StageParts {
	return {
		/**
		 * A tenant's admin may point the tenant's client at an identity provider of their own, and let it
		 * assert the account id of a user of another provider. For core that account has no owner, so it
		 * rejects the sign-in, as for any account that it cannot match with a user.
		 */
		findAccountOwnerByKey: async (key) => {
			const owner = await accounts.findAccountOwnerByKey(key);
			if (owner?.kind !== "owned" || isOfCurrentIssuer(owner.account)) return owner;
			return { kind: "orphaned", account: owner.account };
		},
		/**
		 * Core asks for it before it links an account. One of another issuer is never updated, also if it
		 * belongs to the same user: to core it belongs to somebody else.
		 */
		findAccountByKey: async (key) => {
			const account = await accounts.findAccountByKey(key);
			return !account || isOfCurrentIssuer(account) ? account : { ...account, userId: "" };
		},
		findAccounts: async (userId) => {
			const found = await accounts.findAccounts(userId);
			call.find()?.accountsRead.push(...found);
			return found;
		},
	};
}

/** The account whose tokens a call uses. Core reads it before it looks for the provider. */
export async function findAccountInUse(ctx: GenericEndpointContext): Promise<Account | null> {
	if (!rulesOf(ctx.path).usesAccountTokens) return null;
	const id: unknown = ctx.body?.accountId ?? ctx.query?.accountId;
	if (id === undefined) return (await getAccountCookie(ctx)) as Account | null;
	return call.get().accountsRead.find((account) => account.id === id) ?? null;
}

/**
 * Whether this client has obtained the tokens of an account. Each sign-in in a tenant stores its client.
 * Without one, the tokens come from the platform or from the app's code, so only the app's own client gets
 * them.
 */
export function isOfClient(account: Account, { client, ofApp }: AccountIssuer): boolean {
	const { oauthClient } = issuerColumnsOf(account);
	return oauthClient ? oauthClient === client : ofApp;
}

/** A token is sent only to the client that obtained it. */
export function requireSameClient(account: Account, issuer: AccountIssuer): void {
	if (!isOfClient(account, issuer)) throw tenantError("OAUTH_CLIENT_CHANGED");
}
