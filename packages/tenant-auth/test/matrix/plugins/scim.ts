import { runInTenant } from "better-auth-tenant";
import { expect } from "vitest";
import {
	GROUP,
	newConnection,
	PATCH,
	person,
	scimApi,
	scimPlugin,
} from "../../support/providers/scim";
import { type Attempt, answers, type Outcome, type PluginMatrix, refused } from "./matrix";

type Own = Record<"scimToken" | "connectionId" | "credentialId" | "scimUserId" | "groupId", string>;
type ScimWorld = Parameters<Attempt<Own>["call"]>[0];
type ScimCall = { body?: object; method?: string };

const domain = { provisioningDomainId: "staff" };

const bearer = (token: string) => ({
	authorization: `Bearer ${token}`,
	"content-type": "application/scim+json",
});

/** B presents A's token and names its own tenant. */
const withToken = (
	tries: string,
	path: (a: ScimWorld["a"]) => string,
	own: Outcome<Own>,
	call: (a: ScimWorld["a"]) => ScimCall = () => ({}),
): Attempt<Own>[] => [
	{
		tries,
		call: ({ a }) => ({ path: path(a), headers: bearer(a.scimToken), ...call(a) }),
		by: "holder",
		gets: refused(401),
		own,
		signedOut: true,
	},
];

/** The app's server code handles an id of A in B's tenant. */
const onServer = (
	name: string,
	tries: string,
	body: (a: ScimWorld["a"]) => object,
	gets: Outcome<Own>,
	own: Outcome<Own>,
): Attempt<Own>[] => [
	{
		tries,
		call: ({ a }) => ({ path: name, body: { ...domain, ...body(a) }, onServer: true }),
		by: "anyone",
		gets,
		own,
		knows: ({ a }) => [a.connectionId, a.credentialId],
	},
];

const ofHost = (path: string): Attempt<Own>[] => [
	{
		tries: "reads what the server supports",
		call: ({ a }) => ({ path, headers: { authorization: `Bearer ${a.scimToken}` } }),
		by: "anyone",
		ofHost: true,
		gets: answers(),
		own: answers(),
		signedOut: true,
	},
];

const status =
	(wanted: number): Outcome<Own> =>
	({ status, body }) =>
		expect(status, JSON.stringify(body)).toBe(wanted);
const notFound = refused(404);
const contains =
	(value: (own: Own) => string): Outcome<Own> =>
	({ body }, { a }) =>
		expect(JSON.stringify(body)).toContain(value(a));
const connectionOfA = contains(({ connectionId }) => connectionId);
const admin = { actorId: "the admin" };
const user = ({ scimUserId }: Own) => `/scim/v2/Users/${scimUserId}`;
const group = ({ groupId }: Own) => `/scim/v2/Groups/${groupId}`;
const { creationRequestId: _, provisioningDomainId: __, ...policy } = newConnection("the admin");

export const scimMatrix: PluginMatrix<Own> = {
	plugin: "@better-auth/scim",
	options: ({ send }) => ({
		plugins: [scimPlugin({ reconcileUser: async ({ userId }) => send({ userId }) })],
	}),
	async make(maker, { tenantId, name }) {
		const { token, connection, credential } = await runInTenant(maker.auth, tenantId, () =>
			scimApi(maker).createSCIMManagedConnection({ body: newConnection("the admin") }),
		);
		const headers = bearer(token);
		const made = await maker.to("/scim/v2/Users", {
			headers,
			body: person(`employee-${name}@example.com`),
		});
		const members = [{ value: made.body.id }];
		const body = { ...GROUP, displayName: `staff of ${name}`, members };
		const { body: group } = await maker.to("/scim/v2/Groups", { headers, body });
		return {
			scimToken: token,
			connectionId: connection.connectionId,
			credentialId: credential.credentialId,
			scimUserId: made.body.id,
			groupId: group.id,
		};
	},
	rows: {
		createSCIMUser: withToken(
			"adds a user",
			() => "/scim/v2/Users",
			status(201),
			() => ({
				body: person("another@example.com"),
			}),
		),
		listSCIMUsers: withToken(
			"lists users",
			() => "/scim/v2/Users",
			contains((own) => own.scimUserId),
		),
		getSCIMUser: withToken(
			"reads a user",
			user,
			contains((own) => own.scimUserId),
		),
		replaceSCIMUser: withToken("replaces a user", user, status(200), () => ({
			method: "PUT",
			body: person("replaced@example.com"),
		})),
		patchSCIMUser: withToken("deactivates a user", user, status(200), () => ({
			method: "PATCH",
			body: { ...PATCH, Operations: [{ op: "replace", path: "active", value: false }] },
		})),
		deleteSCIMUser: withToken("deletes a user", user, status(204), () => ({ method: "DELETE" })),
		createSCIMGroup: withToken(
			"adds a group",
			() => "/scim/v2/Groups",
			status(201),
			({ scimUserId }) => ({
				body: { ...GROUP, displayName: "another", members: [{ value: scimUserId }] },
			}),
		),
		listSCIMGroups: withToken(
			"lists groups",
			() => "/scim/v2/Groups",
			contains((own) => own.groupId),
		),
		getSCIMGroup: withToken(
			"reads a group",
			group,
			contains((own) => own.groupId),
		),
		replaceSCIMGroup: withToken("replaces a group", group, status(200), () => ({
			method: "PUT",
			body: { ...GROUP, displayName: "replaced" },
		})),
		patchSCIMGroup: withToken("renames a group", group, status(200), () => ({
			method: "PATCH",
			body: { ...PATCH, Operations: [{ op: "replace", path: "displayName", value: "renamed" }] },
		})),
		deleteSCIMGroup: withToken("deletes a group", group, status(204), () => ({
			method: "DELETE",
		})),
		getSCIMServiceProviderConfig: ofHost("/scim/v2/ServiceProviderConfig"),
		getSCIMSchemas: ofHost("/scim/v2/Schemas"),
		getSCIMSchema: ofHost("/scim/v2/Schemas/urn:ietf:params:scim:schemas:core:2.0:User"),
		getSCIMResourceTypes: ofHost("/scim/v2/ResourceTypes"),
		getSCIMResourceType: ofHost("/scim/v2/ResourceTypes/User"),
		createSCIMManagedConnection: onServer(
			"createSCIMManagedConnection",
			"makes a connection",
			() => ({ ...policy, creationRequestId: "a request of somebody else" }),
			answers(),
			answers(),
		),
		listSCIMManagedConnections: onServer(
			"listSCIMManagedConnections",
			"lists the domain that A has too",
			() => ({}),
			({ body }, { b }) =>
				expect(body.connections).toEqual([
					expect.objectContaining({ connectionId: b.connectionId }),
				]),
			connectionOfA,
		),
		getSCIMManagedConnection: onServer(
			"getSCIMManagedConnection",
			"names A's connection",
			({ connectionId }) => ({ connectionId }),
			notFound,
			connectionOfA,
		),
		rotateSCIMManagedCredential: onServer(
			"rotateSCIMManagedCredential",
			"asks for a token of A's connection",
			({ connectionId }) => ({ ...policy, connectionId }),
			notFound,
			connectionOfA,
		),
		revokeSCIMManagedCredential: onServer(
			"revokeSCIMManagedCredential",
			"revokes A's token",
			({ connectionId, credentialId }) => ({ ...admin, connectionId, credentialId }),
			notFound,
			connectionOfA,
		),
		listSCIMManagedConnectionEvents: onServer(
			"listSCIMManagedConnectionEvents",
			"reads the events of A's connection",
			({ connectionId }) => ({ connectionId }),
			notFound,
			contains((own) => own.credentialId),
		),
		decommissionSCIMManagedConnection: onServer(
			"decommissionSCIMManagedConnection",
			"ends A's connection",
			({ connectionId }) => ({ ...admin, connectionId }),
			notFound,
			connectionOfA,
		),
		decommissionSCIMConnection: onServer(
			"decommissionSCIMConnection",
			"ends a connection with A's id",
			({ connectionId }) => ({ connectionId }),
			({ body }) => expect(body.reconciledUsers).toBe(0),
			({ body }) => expect(body.reconciledUsers).toBe(1),
		),
		reconcileSCIMProjection: onServer(
			"reconcileSCIMProjection",
			"reconciles the domain that A has too",
			() => ({}),
			(_, { outbox, b }) => expect(outbox.map(({ tenantId }) => tenantId)).toEqual([b.tenantId]),
			(_, { outbox, a }) => expect(outbox.map(({ tenantId }) => tenantId)).toEqual([a.tenantId]),
		),
	},
};
