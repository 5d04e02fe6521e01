import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "better-auth/api";
import { fetchFromProvider } from "better-auth-tenant/openid";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { type ClientRow, jwksUriOf } from "./applications/application";
import { type PublicKeys, readStoredKeys, usableKeys } from "./applications/client-keys";
import {
	type ClientStore,
	isPossibleClientId,
	serviceClients,
	tenantClients,
} from "./applications/store";

/** Keys that an application publishes are read again after this time, in milliseconds. */
const FRESH_MS = 5 * 60_000;

/** They are used for so long if they cannot be read. */
const STALE_MS = 10 * 60_000;

/** Anybody can name a key that is not there. So the keys of an application are read no more often. */
const PAUSE_MS = 30_000;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** Reads the keys that an application publishes; `null` if it cannot, or not yet again. */
type ReadKeys = (uri: string) => Promise<PublicKeys | null>;

/**
 * Checks an assertion with which a client authenticates, before the plugin verifies it, and makes sure that
 * the plugin knows the keys that the application publishes.
 */
export async function prepareAssertion(
	ctx: GenericEndpointContext,
	readKeys: ReadKeys,
): Promise<void> {
	const assertion: unknown = ctx.body?.client_assertion;
	// The plugin refuses what is no text.
	if (typeof assertion !== "string" || assertion === "") return;
	const { clientId, kid } = requireOwnAssertion(ctx, assertion);
	const own = tenantClients(ctx.context);
	const row = await own.find(clientId);
	if (row) return refreshKeys(own, row, kid, readKeys);
	const shared = serviceClients(ctx.context);
	const sharedRow = await shared.find(clientId);
	if (sharedRow) await refreshKeys(shared, sharedRow, kid, readKeys);
}

/**
 * The plugin accepts an assertion for several audiences, if one of them is right. Then the program that gets
 * it could use it at another tenant, in which an application of all tenants is the same client.
 *
 * @throws APIError `invalid_client`
 */
function requireOwnAssertion({ context: { baseURL } }: GenericEndpointContext, assertion: string) {
	try {
		const { iss, sub, aud } = decodeJwt(assertion);
		const { kid } = decodeProtectedHeader(assertion);
		const audiences = [aud ?? []].flat();
		const own = [
			baseURL,
			...["token", "introspect", "revoke"].map((at) => `${baseURL}/oauth2/${at}`),
			`${baseURL}/device/code`,
		];
		const isOwn = audiences.length > 0 && audiences.every((audience) => own.includes(audience));
		if (isOwn && typeof sub === "string" && sub === iss && isPossibleClientId(sub)) {
			return { clientId: sub, kid };
		}
	} catch {
		// It is no JWT.
	}
	throw new APIError("UNAUTHORIZED", {
		error: "invalid_client",
		error_description: "the client assertion is not for this issuer",
	});
}

async function refreshKeys(
	store: ClientStore,
	row: ClientRow,
	kid: string | undefined,
	readKeys: ReadKeys,
): Promise<void> {
	const uri = jwksUriOf(row);
	if (!uri || row.disabled) return;
	const { keys, from, readAt = 0 } = readStoredKeys(row.jwks);
	const age = from === uri ? Date.now() - readAt : Infinity;
	const isKnown = kid === undefined || keys.some((key) => key.kid === kid);
	if (age < PAUSE_MS || (age < FRESH_MS && isKnown)) return;
	const read = await readKeys(uri);
	if (read) return store.keepKeys(row, { ...read, from: uri, readAt: Date.now() });
	if (age < STALE_MS) return;
	throw new APIError("SERVICE_UNAVAILABLE", {
		error: "temporarily_unavailable",
		error_description: "the keys of the client cannot be read",
	});
}

const MAX_REMEMBERED = 1000;

/** Reads keys once, however many requests need them, and not again soon after a failure. */
export function keyReader(allowPrivate: boolean): ReadKeys {
	const running = new Map<string, Promise<PublicKeys | null>>();
	/** When the keys of a URI could not be read, in milliseconds. */
	const failed = new Map<string, number>();

	async function read(uri: string): Promise<PublicKeys | null> {
		const keys = await readFrom(uri, allowPrivate).catch(() => null);
		failed.delete(uri);
		if (keys) return keys;
		failed.set(uri, Date.now());
		const [oldest] = failed.keys();
		if (failed.size > MAX_REMEMBERED && oldest !== undefined) failed.delete(oldest);
		return null;
	}

	return async (uri) => {
		if (Date.now() - (failed.get(uri) ?? 0) < PAUSE_MS) return null;
		const current = running.get(uri) ?? read(uri).finally(() => running.delete(uri));
		running.set(uri, current);
		return current;
	};
}

async function readFrom(uri: string, allowPrivate: boolean): Promise<PublicKeys | null> {
	const { status, body } = await fetchFromProvider(uri, {
		accept: "application/jwk-set+json, application/json",
		...{ allowPrivate, maxBytes: MAX_BYTES, timeout: TIMEOUT_MS },
	});
	return status === 200 ? usableKeys(JSON.parse(body)) : null;
}
