import type { AuthContext } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { ACROSS, findRequestScope, scopeOfRow, settle } from "../context/scope";
import { digest } from "../database/digest";
import { isUniqueViolation } from "../database/unique-violation";
import { ownKey } from "./storage";

type InternalAdapter = AuthContext["internalAdapter"];
type SecondaryStorage = NonNullable<AuthContext["options"]["secondaryStorage"]>;

/**
 * Keeps the verification values of tenants apart in a secondary storage.
 *
 * There they are found by their identifier, which may be no more than a purpose and an address. So
 * in a tenant the identifier ends in the tenant's id. For a request that presents a token and no
 * tenant, a second entry tells which tenant it is in.
 */
export function scopeVerifications(
	values: InternalAdapter,
	storage: SecondaryStorage | undefined,
): InternalAdapter {
	// Core looks for the reservation that was in its way by an id that is another one in a tenant.
	const reserve: InternalAdapter["reserveVerificationValue"] = (data) =>
		values.reserveVerificationValue(data).catch((error: unknown) => {
			if (isUniqueViolation(error)) return false;
			throw error;
		});
	if (!storage) return { ...values, reserveVerificationValue: reserve };
	return {
		...values,
		createVerificationValue: async (data) => {
			const identifier = await ownIdentifier(data.identifier);
			const ttl = Math.ceil((data.expiresAt.getTime() - Date.now()) / 1000);
			const scope = await currentScope();
			if (scope !== ACROSS && ttl > 0) {
				await storage.set(await noteKey(data.identifier), scope.tenantId || "platform", ttl);
			}
			return values.createVerificationValue({ ...data, identifier });
		},
		findVerificationValue: async (identifier) => {
			await settleByNote(storage, identifier);
			return values.findVerificationValue(await ownIdentifier(identifier));
		},
		consumeVerificationValue: async (identifier) => {
			await settleByNote(storage, identifier);
			return values.consumeVerificationValue(await ownIdentifier(identifier));
		},
		deleteVerificationByIdentifier: async (identifier) =>
			values.deleteVerificationByIdentifier(await ownIdentifier(identifier)),
		updateVerificationByIdentifier: async (identifier, data) =>
			values.updateVerificationByIdentifier(await ownIdentifier(identifier), data),
		reserveVerificationValue: async (data) =>
			reserve({ ...data, identifier: await ownIdentifier(data.identifier) }),
	};
}

/** At the end, since the host may choose by an identifier's beginning how it is stored. */
async function ownIdentifier(identifier: string): Promise<string> {
	const scope = await currentScope();
	return scope === ACROSS ? identifier : ownKey(identifier, scope);
}

/** A digest: the identifier holds the token, which the host may have asked to be stored hashed. */
const noteKey = async (identifier: string) => `verification:tenant-of:${await digest(identifier)}`;

async function settleByNote(storage: SecondaryStorage, identifier: string): Promise<void> {
	const request = findRequestScope();
	if (!request?.awaits || request.scope) return;
	const tenantId = await storage.get(await noteKey(identifier));
	if (typeof tenantId !== "string") return;
	settle(request, scopeOfRow(tenantId === "platform" ? {} : { tenantId }));
}
