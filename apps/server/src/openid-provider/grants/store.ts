import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { toApplication } from "../applications/application";
import { ISSUED, serviceClients, tenantClients } from "../applications/store";
import type { Grant } from "./grant";

/** More than any user has. */
const MAX_ROWS = 10_000;

type Row = { clientId: string; scopes?: string[] | null; createdAt: Date };
type ConsentRow = Row & { updatedAt?: Date | null };
type TokenRow = Row & { revoked?: Date | null; authTime?: Date | null };

/**
 * What a user of the current tenant has granted, the last used first. An application that users are not
 * asked for has no consent, only tokens.
 */
export async function listGrants(ctx: AuthContext, userId: string): Promise<Grant[]> {
	const database = await getCurrentAdapter(ctx.adapter);
	const ofUser = { field: "userId", value: userId };
	const isValid = { field: "expiresAt", operator: "gt", value: new Date() } as const;
	const consents = await database.findMany<ConsentRow>({
		model: "oauthConsent",
		where: [ofUser],
		limit: MAX_ROWS,
	});
	const tokens = await database.findMany<TokenRow>({
		model: "oauthRefreshToken",
		where: [ofUser, isValid],
		limit: MAX_ROWS,
	});
	const open = tokens.filter(({ revoked }) => !revoked);
	const clientIds = [...new Set([...consents, ...open].map(({ clientId }) => clientId))];
	if (clientIds.length === 0) return [];
	const rows = [...(await tenantClients(ctx).list()), ...(await serviceClients(ctx).list())];
	const applications = new Map(rows.map((row) => [row.clientId, toApplication(row, null)]));
	const grants = clientIds.flatMap((clientId): Grant[] => {
		const application = applications.get(clientId);
		if (!application) return [];
		const isOwn = (row: Row) => row.clientId === clientId;
		const [consented, issued] = [consents.filter(isOwn), open.filter(isOwn)];
		const times = [...consented, ...issued].map(({ createdAt }) => createdAt.getTime());
		const changes = consented.map(({ updatedAt }) => updatedAt?.getTime() ?? 0);
		const signIns = issued.flatMap(({ authTime }) => (authTime ? authTime.getTime() : []));
		const { name, logoUrl } = application;
		return [
			{
				clientId,
				name,
				logoUrl,
				scopes: [...new Set([...consented, ...issued].flatMap(({ scopes }) => scopes ?? []))],
				grantedAt: new Date(Math.min(...times, ...signIns)),
				usedAt: new Date(Math.max(...times, ...changes)),
				hasTokens: issued.length > 0,
			},
		];
	});
	return grants.sort((a, b) => b.usedAt.getTime() - a.usedAt.getTime());
}

/** Ends the access of an application to a user of the current tenant. It has to ask again. */
export async function removeGrant(
	ctx: AuthContext,
	{ userId, clientId }: { userId: string; clientId: string },
): Promise<void> {
	const database = await getCurrentAdapter(ctx.adapter);
	const where = [
		{ field: "userId", value: userId },
		{ field: "clientId", value: clientId },
	];
	for (const model of ISSUED) await database.deleteMany({ model, where });
	// Those that the user has approved, and the device has not exchanged for tokens yet.
	const ofDevices = [
		{ field: "userId", value: userId },
		{ field: "oauthClientId", value: clientId },
	];
	await database.deleteMany({ model: "deviceCode", where: ofDevices });
}
