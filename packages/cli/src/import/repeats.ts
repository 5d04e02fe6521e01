import type { ImportedUser, ImportResult } from "better-auth-tenant/imports";

/**
 * Finds what two lines of a dry run both want to have. The transactions of a dry run are rolled back, so a
 * line does not see what an earlier one would have written. It keeps all emails in memory.
 */
export class Repeats {
	readonly #ownerOf = new Map<string, string>();
	readonly #created = new Set<string>();

	/** The result that the line would have after the lines before it. */
	correct(result: ImportResult, { externalId, email, accounts = [] }: ImportedUser): ImportResult {
		if (result.status === "failed") return result;
		const keys = {
			EMAIL_TAKEN: [`email:${email.toLowerCase()}`],
			ACCOUNT_TAKEN: accounts.map(({ providerId, accountId }) => `${providerId}:${accountId}`),
		};
		for (const code of ["EMAIL_TAKEN", "ACCOUNT_TAKEN"] as const) {
			const owner = keys[code].map((key) => this.#ownerOf.get(key)).find((it) => it !== undefined);
			if (owner === undefined || owner === externalId) continue;
			const message = `The user ${owner} of the same import has it`;
			return { ...result, status: "failed", userId: null, code, message };
		}
		for (const key of Object.values(keys).flat()) this.#ownerOf.set(key, externalId);
		const isRepeated = this.#created.has(externalId);
		if (result.status === "created") this.#created.add(externalId);
		return isRepeated && result.status === "created" ? { ...result, status: "updated" } : result;
	}
}
