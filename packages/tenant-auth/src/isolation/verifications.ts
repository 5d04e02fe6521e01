import type { AuthContext } from "@better-auth/core";
import { currentScope } from "../call/context/current-scope";
import { findState } from "../call/context/current-state";
import { enterTenantOfToken } from "../call/context/gate";
import type { TenantInstance } from "../call/context/request-state";
import { ALL_TENANTS } from "../call/context/tenant";
import { digest } from "../database/digest";
import { isUniqueViolation } from "../database/errors";
import type { InternalAdapter, StageParts } from "../database/internal-adapter";
import { findStoredTenant, ownKey, storedTenant } from "./storage";
import { isEndedDevice } from "./trusted-devices";

type SecondaryStorage = NonNullable<AuthContext["options"]["secondaryStorage"]>;

/**
 * Keeps the verification values of tenants apart in a secondary storage.
 *
 * There they are found by their identifier, which may be just a purpose and an email. So in a tenant
 * the identifier ends with the tenant's id. A second entry stores the tenant, for requests that present
 * a token and name no tenant.
 */
export function isolateVerifications(
	values: InternalAdapter,
	storage: SecondaryStorage | undefined,
	instance: TenantInstance,
): StageParts {
	// Core looks for an existing reservation by its own id, which is another one in a tenant.
	const reserve: InternalAdapter["reserveVerificationValue"] = (data) =>
		values.reserveVerificationValue(data).catch((error: unknown) => {
			if (isUniqueViolation(error)) return false;
			throw error;
		});
	if (!storage) return { reserveVerificationValue: reserve };
	return {
		createVerificationValue: async (data) => {
			const identifier = await ownIdentifier(data.identifier);
			const ttl = Math.ceil((data.expiresAt.getTime() - Date.now()) / 1000);
			const scope = await currentScope(instance);
			if (scope !== ALL_TENANTS && ttl > 0) {
				await noteTenant(data.identifier, scope.tenantId, ttl);
			}
			return known(data.identifier, await values.createVerificationValue({ ...data, identifier }));
		},
		findVerificationValue: async (identifier) => {
			const found = await read(identifier, values.findVerificationValue);
			return found && (await isEndedDevice(storage, identifier, found)) ? null : found;
		},
		consumeVerificationValue: (identifier) => read(identifier, values.consumeVerificationValue),
		deleteVerificationByIdentifier: async (identifier) =>
			values.deleteVerificationByIdentifier(await ownIdentifier(identifier)),
		updateVerificationByIdentifier: async (identifier, data) =>
			known(
				identifier,
				await values.updateVerificationByIdentifier(await ownIdentifier(identifier), data),
			),
		reserveVerificationValue: async (data) =>
			reserve({ ...data, identifier: await ownIdentifier(data.identifier) }),
	};

	async function read(
		identifier: string,
		find: InternalAdapter["findVerificationValue"],
	): ReturnType<typeof find> {
		await resolveByToken(identifier);
		return known(identifier, await find(await ownIdentifier(identifier)));
	}

	/** Callers get the identifier that they know. The sso plugin compares it with a DNS record. */
	async function known<Row extends { identifier: string } | null | undefined>(
		identifier: string,
		row: Row,
	): Promise<Row> {
		return row?.identifier === (await ownIdentifier(identifier)) ? { ...row, identifier } : row;
	}

	/**
	 * The first tenant keeps the entry. Only one that knows the token of another could be the second, and
	 * the link of the first must go on leading to its own tenant.
	 */
	async function noteTenant(identifier: string, tenantId: string, ttl: number): Promise<void> {
		const key = await tenantKey(identifier);
		const first = findStoredTenant(await storage?.get(key));
		if (first === null || first === tenantId) await storage?.set(key, storedTenant(tenantId), ttl);
	}

	/** The tenant comes last: the app may choose by the start of an identifier how to store it. */
	async function ownIdentifier(identifier: string): Promise<string> {
		const refused = findState(instance)?.refusedScope("oauth-state");
		const scope = refused ?? (await currentScope(instance));
		return scope === ALL_TENANTS ? identifier : ownKey(identifier, scope);
	}

	async function resolveByToken(identifier: string): Promise<void> {
		const state = findState(instance);
		if (!storage || !state?.awaitsRowOf("verification")) return;
		const tenantId = findStoredTenant(await storage.get(await tenantKey(identifier)));
		if (tenantId !== null) await enterTenantOfToken(state, tenantId);
	}
}

/** A digest: the identifier contains the token, which the app may want to store hashed only. */
const tenantKey = async (identifier: string) =>
	`verification:tenant-of:${await digest(identifier)}`;
