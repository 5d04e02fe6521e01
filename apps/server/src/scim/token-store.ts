import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { scim } from "@better-auth/scim";
import type { TokenRow } from "./schema";
import type { ScimToken } from "./token";
import { MAX_TOKENS } from "./token-limits";

/** A tenant has one connection, which keeps its users when a token is replaced. */
const CONNECTION = { provisioningDomainId: "directory" };

/** The connection of a tenant is made once. */
const CREATION_REQUEST = "directory-of-the-tenant";

const SCOPES = [
	"scim.users.read",
	"scim.users.write",
	"scim.groups.read",
	"scim.groups.write",
] as const;

type CredentialRow = {
	credentialId: string;
	createdAt: Date;
	expiresAt: Date;
	lastUsedAt?: Date | null;
};

type NewToken = Pick<ScimToken, "name" | "role" | "createdBy" | "expiresAt">;

type ConnectionEndpoints = Pick<
	ReturnType<typeof scim>["endpoints"],
	| "createSCIMManagedConnection"
	| "listSCIMManagedConnections"
	| "rotateSCIMManagedCredential"
	| "revokeSCIMManagedCredential"
>;

/** The tokens of the current tenant. The plugin stores a digest of each. */
export function tokenStore(
	{ context }: GenericEndpointContext,
	plugin: { endpoints: ConnectionEndpoints },
) {
	const { endpoints } = plugin;

	async function findConnectionId(): Promise<string | null> {
		const body = CONNECTION;
		const { connections } = await endpoints.listSCIMManagedConnections({ body, context });
		return connections[0]?.connectionId ?? null;
	}

	/** Tokens that were not revoked, newest first. */
	async function list(): Promise<ScimToken[]> {
		const database = await getCurrentAdapter(context.adapter);
		const credentials = await database.findMany<CredentialRow>({
			model: "scimManagedCredential",
			where: [{ field: "status", value: "active" }],
			sortBy: { field: "createdAt", direction: "desc" },
		});
		if (credentials.length === 0) return [];
		const rows = await database.findMany<TokenRow>({
			model: "scimToken",
			where: [
				{
					field: "credentialId",
					operator: "in",
					value: credentials.map(({ credentialId }) => credentialId),
				},
			],
		});
		const rowOf = new Map(rows.map((row) => [row.credentialId, row]));
		return credentials.flatMap(({ credentialId: id, createdAt, expiresAt, lastUsedAt }) => {
			const row = rowOf.get(id);
			if (!row) return [];
			const { name, role, createdBy } = row;
			return [{ id, name, role, createdAt, createdBy, expiresAt, lastUsedAt: lastUsedAt ?? null }];
		});
	}

	return {
		findConnectionId,
		list,

		hasRoom: async () =>
			(await list()).filter(({ expiresAt }) => expiresAt > new Date()).length < MAX_TOKENS,

		/** @param actorId as the events of the plugin name the caller */
		async create(actorId: string, { expiresAt, ...given }: NewToken) {
			const connectionId = await findConnectionId();
			const policy = { ...CONNECTION, actorId, scopes: SCOPES, expiresAt };
			const { token, credential } = connectionId
				? await endpoints.rotateSCIMManagedCredential({
						body: { ...policy, connectionId },
						context,
					})
				: await endpoints.createSCIMManagedConnection({
						body: { ...policy, creationRequestId: CREATION_REQUEST },
						context,
					});
			const { credentialId, createdAt } = credential;
			const database = await getCurrentAdapter(context.adapter);
			await database.create({ model: "scimToken", data: { credentialId, ...given } });
			const made: ScimToken = {
				id: credentialId,
				...given,
				createdAt,
				expiresAt,
				lastUsedAt: null,
			};
			return { ...made, token };
		},

		async revoke(actorId: string, credentialId: string): Promise<void> {
			const connectionId = await findConnectionId();
			if (!connectionId) return;
			await endpoints.revokeSCIMManagedCredential({
				body: { ...CONNECTION, connectionId, credentialId, actorId },
				context,
			});
			const database = await getCurrentAdapter(context.adapter);
			const where = [{ field: "credentialId", value: credentialId }];
			await database.deleteMany({ model: "scimToken", where });
		},

		/** How many users and groups the directory has sent. */
		async count() {
			const database = await getCurrentAdapter(context.adapter);
			return {
				users: await database.count({ model: "scimUser" }),
				groups: await database.count({ model: "scimGroup" }),
			};
		},
	};
}
