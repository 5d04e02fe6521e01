import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { defineRequestState, hasRequestState } from "@better-auth/core/context";

type InternalAdapter = AuthContext["internalAdapter"];
type Hooks = NonNullable<BetterAuthOptions["databaseHooks"]>;

/** Who gives out the account ids in the running social flow; `null` outside of one. */
const flowAuthority = defineRequestState<string | null>(() => null);

export async function enterAuthority(authority: string): Promise<void> {
	await flowAuthority.set(authority);
}

async function findAuthority(): Promise<string | null> {
	return (await hasRequestState()) ? flowAuthority.get() : null;
}

/** Each social account remembers who gave out its id. */
export const stampAuthority: Hooks = {
	account: {
		create: {
			before: async () => {
				const authority = await findAuthority();
				return authority ? { data: { authority } } : undefined;
			},
		},
	},
};

/**
 * A tenant's administrator may point the tenant's client at an identity provider of his own, and
 * have it assert the account id of somebody who came from elsewhere. That account is not found: core
 * then refuses, as for any account that it cannot match with a user.
 */
export function separateAuthorities(accounts: InternalAdapter): InternalAdapter {
	return {
		...accounts,
		findAccountOwnerByKey: async (key) => {
			const owner = await accounts.findAccountOwnerByKey(key);
			const authority = await findAuthority();
			if (owner?.kind !== "owned" || authority === null) return owner;
			const { authority: known } = owner.account as { authority?: string | null };
			return (known ?? "") === authority ? owner : { kind: "orphaned", account: owner.account };
		},
	};
}
