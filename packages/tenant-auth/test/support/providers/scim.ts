import { type SCIMProjection, scim } from "@better-auth/scim";
import { runInTenant } from "better-auth-tenant";
import type { Instance, InstanceOptions } from "../worlds/instance";
import { makeTwoUsers } from "../worlds/two-tenants";

/** Of a connection that the app configures in code. */
export const STATIC_TOKEN = "a-static-token-of-the-app";

/** As an app would configure it that links by email. */
export const scimPlugin = (projection?: SCIMProjection) =>
	scim({
		...(projection ? { projection } : {}),
		connections: [
			{ id: "in-code", credentials: [{ id: "first", type: "bearer", token: STATIC_TOKEN }] },
		],
		managedConnections: { credentialHashSecret: "a secret of thirty-two characters or more" },
		identity: {
			reconcileUser: () => {},
			async resolveUser({ resource }, { database }) {
				const user = await database.findOne<{ id: string }>({
					model: "user",
					where: [{ field: "email", value: resource.userName }],
				});
				return user ? { action: "link", userId: user.id, profile: "manage" } : { action: "create" };
			},
		},
	});

export const GROUP = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"] };
export const PATCH = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] };

export const person = (userName: string, externalId = userName) => ({
	schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
	userName,
	externalId,
	emails: [{ value: userName, primary: true, type: "work" }],
	active: true,
});

export const newConnection = (actorId: string) => ({
	creationRequestId: "request-of-the-admin",
	provisioningDomainId: "staff",
	actorId,
	scopes: [
		"scim.users.read" as const,
		"scim.users.write" as const,
		"scim.groups.read" as const,
		"scim.groups.write" as const,
	],
	expiresAt: new Date(Date.now() + 3_600_000),
});

type Connection = { connectionId: string };

/** The plugin's calls for server code. */
export interface ScimApi {
	createSCIMManagedConnection(call: { body: ReturnType<typeof newConnection> }): Promise<{
		token: string;
		connection: Connection;
		credential: { credentialId: string };
	}>;
	listSCIMManagedConnections(call: {
		body: { provisioningDomainId: string };
	}): Promise<{ connections: Connection[] }>;
	decommissionSCIMManagedConnection(call: {
		body: Connection & { provisioningDomainId: string; actorId: string };
	}): Promise<{ decommission: { status: string } }>;
}

export const scimApi = ({ auth }: Pick<Instance, "auth">) => auth.api as unknown as ScimApi;

/** Two tenants with a user each, and each with a managed SCIM connection. */
export async function makeScimTenants(options: InstanceOptions = {}) {
	const app = await makeTwoUsers({ ...options, plugins: [scimPlugin()] });
	const api = scimApi(app);
	const connect = (tenantId: string) =>
		runInTenant(app.auth, tenantId, () =>
			api.createSCIMManagedConnection({ body: newConnection("admin") }),
		);
	const [ofA, ofB] = [await connect(app.a), await connect(app.b)];
	type Call = Parameters<typeof app.call>[1] & { tenant?: string | undefined };
	const as = (token: string, path: string, { tenant, headers, ...call }: Call = {}) =>
		app.call(`/scim/v2${path}`, {
			...call,
			...(tenant ? { tenant } : {}),
			headers: {
				authorization: `Bearer ${token}`,
				...(call.body ? { "content-type": "application/scim+json" } : {}),
				...headers,
			},
		});
	const usersOf = async (email: string) =>
		(await app.db.selectFrom("user").select("tenantId").where("email", "=", email).execute()).map(
			({ tenantId }) => tenantId,
		);
	return {
		...app,
		api,
		as,
		usersOf,
		tokenOfA: ofA.token,
		tokenOfB: ofB.token,
		connectionOfA: ofA.connection.connectionId,
	};
}
