import type { AuthContext, BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { defineRequestState, hasRequestState } from "@better-auth/core/context";
import { getAccountCookie } from "better-auth/cookies";
import { tenantError } from "../tenant-error";

type InternalAdapter = AuthContext["internalAdapter"];
type Account = Awaited<ReturnType<InternalAdapter["findAccounts"]>>[number];
type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;

/** Where a social account and its tokens come from. */
export interface Origin {
	/** Who gives out the account ids; `""` is the provider's own service. */
	authority: string;
	/** A digest of the client that obtains the tokens. */
	client: string;
}

interface OriginColumns {
	authority?: string | null;
	oauthClient?: string | null;
}

/** What is known in the running request; nothing outside of a tenant's social flow. */
const state = defineRequestState(() => ({
	origin: null as Origin | null,
	accountsRead: [] as Account[],
}));

const findState = async () => ((await hasRequestState()) ? state.get() : null);

export async function enterOrigin(origin: Origin): Promise<void> {
	(await state.get()).origin = origin;
}

/** Each social account remembers where it and its tokens come from. */
export const stampOrigin: Hooks = {
	account: {
		create: {
			before: async () => {
				const origin = (await findState())?.origin;
				if (origin) return { data: { authority: origin.authority, oauthClient: origin.client } };
			},
		},
		update: {
			before: async (account) => {
				const origin = (await findState())?.origin;
				if (origin && ("accessToken" in account || "refreshToken" in account)) {
					return { data: { oauthClient: origin.client } };
				}
			},
		},
	},
};

/** Keeps apart what comes from different places, and remembers which accounts were read. */
export function separateOrigins(accounts: InternalAdapter): InternalAdapter {
	return {
		...accounts,
		/**
		 * A tenant's administrator may point the tenant's client at an identity provider of his own,
		 * and have it assert the account id of somebody who came from elsewhere. That account has no
		 * owner then: core refuses, as for any account that it cannot match with a user.
		 */
		findAccountOwnerByKey: async (key) => {
			const owner = await accounts.findAccountOwnerByKey(key);
			const origin = (await findState())?.origin;
			if (owner?.kind !== "owned" || !origin) return owner;
			const { authority } = owner.account as OriginColumns;
			return (authority ?? "") === origin.authority
				? owner
				: { kind: "orphaned", account: owner.account };
		},
		findAccounts: async (userId) => {
			const found = await accounts.findAccounts(userId);
			(await findState())?.accountsRead.push(...found);
			return found;
		},
	};
}

const TOKEN_PATHS = new Set(["/get-access-token", "/refresh-token", "/account-info"]);

/** The account whose tokens a call is about. Core reads it before it looks for the provider. */
export async function findAccountInUse(ctx: GenericEndpointContext): Promise<Account | null> {
	if (!TOKEN_PATHS.has(ctx.path)) return null;
	const id: unknown = ctx.body?.accountId ?? ctx.query?.accountId;
	if (id === undefined) return (await getAccountCookie(ctx)) as Account | null;
	return (await state.get()).accountsRead.find((account) => account.id === id) ?? null;
}

/** A token goes to the client that obtained it, or nowhere. */
export function requireSameClient(account: Account, origin: Origin): void {
	if ((account as OriginColumns).oauthClient === origin.client) return;
	throw tenantError("OAUTH_CLIENT_CHANGED");
}
