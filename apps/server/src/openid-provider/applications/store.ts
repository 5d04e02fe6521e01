import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { DEVICE_CODE_GRANT_TYPE } from "@better-auth/oauth-provider";
import type { AuthContext } from "better-auth";
import { APIError } from "better-auth/api";
import { generateRandomString } from "better-auth/crypto";
import { runAcrossTenants, runOnPlatform } from "better-auth-tenant";
import { CLIENT_SESSION } from "../client-sessions/client-session";
import {
	type ApplicationSettings,
	type ApplicationType,
	type ClientRow,
	hasKeys,
	hasSecret,
	KEY_METHOD,
	SERVICE_WIDE,
	storedMetadata,
} from "./application";
import { type StoredKeys, usableKeys } from "./client-keys";
import { hashSecret, newSecret, rotated } from "./client-secrets";

const MODEL = "oauthClient";

/** What a client has of users. An access token references its refresh token, so it goes first. */
export const ISSUED = ["oauthAccessToken", "oauthRefreshToken", "oauthConsent"];

const MAX_APPLICATIONS = 100;

type StoreContext = Pick<AuthContext, "adapter">;
type Database = Pick<DBTransactionAdapter, "findMany" | "deleteMany">;

/** Where the rows of an owner are: how to get there, and what tells them from others. */
type Place = {
	within: <T>(work: () => Promise<T>) => Promise<T>;
	/** Deletes tokens and consents. They are in the tenants, also those of a service-wide application. */
	deleteIssued: (database: Database, model: string, where: Where[]) => Promise<void>;
	columns: { referenceId?: string };
};

/** The applications of the tenant in which the functions run. */
const CURRENT_TENANT: Place = {
	within: (work) => work(),
	deleteIssued: async (database, model, where) => {
		await database.deleteMany({ model, where });
	},
	columns: {},
};

/**
 * The applications of all tenants. Their rows belong to the platform, and say so themselves: a row that has
 * lost the record of its tenant is not one of them.
 */
const SERVICE: Place = {
	within: runOnPlatform,
	deleteIssued: (database, model, where) =>
		runAcrossTenants(() => deleteInAllTenants(database, model, where)),
	columns: { referenceId: SERVICE_WIDE },
};

const DELETE_BATCH = 100;

/** Across tenants, the adapter does not delete the records of which tenant owns a row. */
export async function deleteInAllTenants(database: Database, model: string, where: Where[]) {
	for (;;) {
		const rows = await database.findMany<{ id: unknown }>({ model, where, limit: DELETE_BATCH });
		const ids = rows.map(({ id }) => String(id));
		if (ids.length === 0) return;
		await database.deleteMany({ model, where: [{ field: "id", operator: "in", value: ids }] });
		await database.deleteMany({
			model: "tenantRow",
			where: [
				{ field: "model", value: model },
				{ field: "rowId", operator: "in", value: ids },
			],
		});
	}
}

export type ClientStore = ReturnType<typeof clientStore>;

/** The store of the tenant in which it is used. */
export const tenantClients = (ctx: StoreContext) => clientStore(ctx, CURRENT_TENANT);

/** The store of service-wide applications. It can be used in any tenant. */
export const serviceClients = (ctx: StoreContext) => clientStore(ctx, SERVICE);

function clientStore({ adapter }: StoreContext, { within, deleteIssued, columns }: Place) {
	const own = Object.entries(columns).map(([field, value]) => ({ field, value }));
	const byClientId = (clientId: string) => [{ field: "clientId", value: clientId }, ...own];

	async function list(): Promise<ClientRow[]> {
		const database = await getCurrentAdapter(adapter);
		const sortBy = { field: "createdAt", direction: "asc" } as const;
		const query = { model: MODEL, where: own, sortBy, limit: MAX_APPLICATIONS };
		return within(() => database.findMany<ClientRow>(query));
	}

	async function find(clientId: string): Promise<ClientRow | null> {
		if (!isPossibleClientId(clientId)) return null;
		const database = await getCurrentAdapter(adapter);
		const query = { model: MODEL, where: byClientId(clientId) };
		const row = await within(() => database.findOne<ClientRow>(query));
		// MySQL ignores case and trailing spaces.
		return row?.clientId === clientId ? row : null;
	}

	async function require(clientId: string): Promise<ClientRow> {
		const row = await find(clientId);
		if (row) return row;
		throw new APIError("NOT_FOUND", {
			code: "APPLICATION_NOT_FOUND",
			message: "Application not found",
		});
	}

	async function insert(type: ApplicationType, settings: ApplicationSettings) {
		if ((await list()).length >= MAX_APPLICATIONS) {
			throw new APIError("CONFLICT", {
				code: "TOO_MANY_APPLICATIONS",
				message: `There are at most ${MAX_APPLICATIONS} applications`,
			});
		}
		const secret = hasSecret(type) && !hasKeys(settings) ? newSecret() : null;
		const isMachine = type === "machine";
		const now = new Date();
		const data = {
			...columns,
			tokenEndpointAuthMethod: "none",
			...columnsOf(type, settings),
			clientId: generateRandomString(32, "a-z", "A-Z", "0-9"),
			clientSecret: secret && (await hashSecret(secret)),
			applicationType: type === "native" ? "native" : "web",
			responseTypes: isMachine ? [] : ["code"],
			enableEndSession: !isMachine,
			disabled: false,
			createdAt: now,
			updatedAt: now,
		};
		const database = await getCurrentAdapter(adapter);
		const row = await within(() =>
			database.create<Omit<ClientRow, "id">, ClientRow>({ model: MODEL, data }),
		);
		return { row, secret };
	}

	const update = (
		clientId: string,
		type: ApplicationType,
		settings: ApplicationSettings & { disabled: boolean },
	) => change(clientId, { ...columnsOf(type, settings), disabled: settings.disabled });

	async function rotateSecret({ clientId, clientSecret: stored }: ClientRow, overlapHours: number) {
		const secret = newSecret();
		const row = await change(clientId, {
			clientSecret: await rotated(stored, secret, overlapHours),
		});
		return { row, secret };
	}

	/**
	 * Stores keys that were read from the application, unless its keys have changed since `row` was read. It is
	 * no change of the application.
	 */
	async function keepKeys({ clientId, jwks = null }: ClientRow, keys: StoredKeys): Promise<void> {
		const database = await getCurrentAdapter(adapter);
		const where = [
			...byClientId(clientId),
			{ field: "tokenEndpointAuthMethod", value: KEY_METHOD },
			{ field: "jwks", value: jwks },
		];
		const update = { jwks: JSON.stringify(keys) };
		await within(() => database.updateMany({ model: MODEL, where, update }));
	}

	/** With its tokens and consents. Not every database deletes them by itself. */
	async function remove(clientId: string): Promise<void> {
		const database = await getCurrentAdapter(adapter);
		const where = [{ field: "clientId", value: clientId }];
		for (const model of ISSUED) {
			await deleteIssued(database, model, where);
		}
		await database.deleteMany({ model: CLIENT_SESSION, where });
		await within(() => database.deleteMany({ model: MODEL, where: byClientId(clientId) }));
	}

	async function change(clientId: string, update: Partial<ClientRow>): Promise<ClientRow> {
		const database = await getCurrentAdapter(adapter);
		const where = byClientId(clientId);
		const changed = { ...update, updatedAt: new Date() };
		await within(() => database.updateMany({ model: MODEL, where, update: changed }));
		return require(clientId);
	}

	return { list, find, require, insert, update, rotateSecret, keepKeys, remove };
}

/** What we and the plugin generate. */
export const isPossibleClientId = (clientId: string) => /^[\w-]{1,128}$/.test(clientId);

const USER_GRANTS = ["authorization_code", "refresh_token"];

function columnsOf(type: ApplicationType, settings: ApplicationSettings) {
	const isMachine = type === "machine";
	const ofUsers = settings.deviceFlow ? [...USER_GRANTS, DEVICE_CODE_GRANT_TYPE] : USER_GRANTS;
	return {
		name: settings.name,
		icon: settings.logoUrl,
		redirectUris: settings.redirectUris,
		postLogoutRedirectUris: settings.postLogoutRedirectUris,
		metadata: storedMetadata(settings),
		scopes: settings.scopes,
		grantTypes: isMachine ? ["client_credentials"] : ofUsers,
		clientCredentialsScopes: isMachine ? settings.scopes : [],
		skipConsent: settings.firstParty,
		requirePKCE: settings.requirePkce,
		dpopBoundAccessTokens: settings.dpop,
		...authenticationColumns(type, settings),
	};
}

/**
 * The plugin would read a `jwksUri` itself, from any address. So it never has one: `client-assertion.ts`
 * reads the keys and stores them.
 */
function authenticationColumns(type: ApplicationType, settings: ApplicationSettings) {
	if (!hasSecret(type)) return {};
	if (!hasKeys(settings)) return { tokenEndpointAuthMethod: "client_secret_basic", jwks: null };
	return {
		tokenEndpointAuthMethod: KEY_METHOD,
		clientSecret: null,
		// Keys from another URI are read again.
		...(settings.jwks ? { jwks: JSON.stringify(usableKeys(settings.jwks)) } : {}),
	};
}
