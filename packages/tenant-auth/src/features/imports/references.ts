import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { OWNER_TABLES } from "../../call/foreign";
import { findForeignKeys } from "../../isolation/tables";

/** A field whose value names a row of another table. */
export interface Reference {
	model: string;
	name: string;
	target: { model: string; name: string };
	/** The field may name a row of another table instead, so a value without a row says nothing. */
	isAmbiguous: boolean;
}

/** Fields that name the owner of a row: a user, or for example an organization. */
const OWNER_FIELDS = ["referenceId"];

/**
 * All references between tables: foreign keys, and fields that are used like one. Better Auth's plugins
 * leave out some foreign keys, for example `deviceCode.userId`, `ssoProvider.organizationId` and
 * `apikey.referenceId`.
 */
export function findReferences(tables: BetterAuthDBSchema): Reference[] {
	const declared = findForeignKeys(tables).map(
		({ model, name, target }): Reference => ({ model, name, target, isAmbiguous: false }),
	);
	return [...declared, ...findUndeclared(tables)];
}

function findUndeclared(tables: BetterAuthDBSchema): Reference[] {
	return Object.entries(tables).flatMap(([model, { fields }]) =>
		Object.entries(fields).flatMap(([name, { references, type }]): Reference[] => {
			if (references || type !== "string") return [];
			const isOwner = OWNER_FIELDS.includes(name);
			const targets = isOwner ? OWNER_TABLES : [name.replace(/Id$/, "")];
			return (
				targets
					// `account.accountId` is the user's id at a provider.
					.filter((target) => name.endsWith("Id") && target in tables && target !== model)
					.map((target) => ({
						model,
						name,
						target: { model: target, name: "id" },
						isAmbiguous: isOwner,
					}))
			);
		}),
	);
}
