import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { APIError } from "better-auth/api";
import { generateRandomString } from "better-auth/crypto";
import {
	type ApplicationSettings,
	type ApplicationType,
	type ClientRow,
	hasSecret,
	storedMetadata,
} from "./application";

/** All functions run in the tenant of the application: its rows are the only ones there. */
type StoreContext = Pick<AuthContext, "adapter">;

const MODEL = "oauthClient";

export const MAX_APPLICATIONS = 100;

const byClientId = (clientId: string) => [{ field: "clientId", value: clientId }];

export async function listClients({ adapter }: StoreContext): Promise<ClientRow[]> {
	const database = await getCurrentAdapter(adapter);
	const sortBy = { field: "createdAt", direction: "asc" } as const;
	return database.findMany<ClientRow>({ model: MODEL, sortBy, limit: MAX_APPLICATIONS });
}

export async function requireClient(ctx: StoreContext, clientId: string): Promise<ClientRow> {
	const database = await getCurrentAdapter(ctx.adapter);
	const row = isPossibleClientId(clientId)
		? await database.findOne<ClientRow>({ model: MODEL, where: byClientId(clientId) })
		: null;
	// MySQL ignores case and trailing spaces.
	if (row?.clientId === clientId) return row;
	throw new APIError("NOT_FOUND", {
		code: "APPLICATION_NOT_FOUND",
		message: "Application not found",
	});
}

/** What we and the plugin generate. */
const isPossibleClientId = (clientId: string) => /^[\w-]{1,128}$/.test(clientId);

export async function insertClient(
	ctx: StoreContext,
	type: ApplicationType,
	settings: ApplicationSettings,
): Promise<{ row: ClientRow; secret: string | null }> {
	if ((await listClients(ctx)).length >= MAX_APPLICATIONS) {
		throw new APIError("CONFLICT", {
			code: "TOO_MANY_APPLICATIONS",
			message: `A tenant has at most ${MAX_APPLICATIONS} applications`,
		});
	}
	const secret = hasSecret(type) ? newSecret() : null;
	const isMachine = type === "machine";
	const now = new Date();
	const database = await getCurrentAdapter(ctx.adapter);
	const row = await database.create<Omit<ClientRow, "id">, ClientRow>({
		model: MODEL,
		data: {
			...columnsOf(type, settings),
			clientId: generateRandomString(32, "a-z", "A-Z", "0-9"),
			clientSecret: secret && (await hashSecret(secret)),
			tokenEndpointAuthMethod: hasSecret(type) ? "client_secret_basic" : "none",
			applicationType: type === "native" ? "native" : "web",
			grantTypes: isMachine ? ["client_credentials"] : ["authorization_code", "refresh_token"],
			responseTypes: isMachine ? [] : ["code"],
			enableEndSession: !isMachine,
			disabled: false,
			createdAt: now,
			updatedAt: now,
		},
	});
	return { row, secret };
}

export async function updateClient(
	ctx: StoreContext,
	clientId: string,
	type: ApplicationType,
	settings: ApplicationSettings & { disabled: boolean },
): Promise<ClientRow> {
	return changeClient(ctx, clientId, {
		...columnsOf(type, settings),
		disabled: settings.disabled,
	});
}

export async function rotateSecret(ctx: StoreContext, clientId: string) {
	const secret = newSecret();
	const row = await changeClient(ctx, clientId, { clientSecret: await hashSecret(secret) });
	return { row, secret };
}

/** With its tokens and consents. Not every database deletes them by itself. */
export async function deleteClient(ctx: StoreContext, clientId: string): Promise<void> {
	const database = await getCurrentAdapter(ctx.adapter);
	const where = byClientId(clientId);
	for (const model of ["oauthAccessToken", "oauthRefreshToken", "oauthConsent", MODEL]) {
		await database.deleteMany({ model, where });
	}
}

async function changeClient(
	ctx: StoreContext,
	clientId: string,
	update: Partial<ClientRow>,
): Promise<ClientRow> {
	const database = await getCurrentAdapter(ctx.adapter);
	await database.updateMany({
		model: MODEL,
		where: byClientId(clientId),
		update: { ...update, updatedAt: new Date() },
	});
	return requireClient(ctx, clientId);
}

function columnsOf(type: ApplicationType, settings: ApplicationSettings) {
	const isMachine = type === "machine";
	return {
		name: settings.name,
		icon: settings.logoUrl,
		redirectUris: settings.redirectUris,
		postLogoutRedirectUris: settings.postLogoutRedirectUris,
		metadata: storedMetadata(settings.allowedOrigins),
		scopes: settings.scopes,
		clientCredentialsScopes: isMachine ? settings.scopes : [],
		skipConsent: settings.firstParty,
		requirePKCE: settings.requirePkce,
	};
}

const newSecret = () => generateRandomString(48, "a-z", "A-Z", "0-9");

/** The plugin compares it with the hash that it makes of a presented secret. */
async function hashSecret(secret: string): Promise<string> {
	const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
	return Buffer.from(hash).toString("base64url");
}
