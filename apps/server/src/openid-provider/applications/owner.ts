import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import { APIError } from "better-auth/api";
import { type AuditedChange, manageTenant, recordAppEvent } from "better-auth-tenant";
import type { Access } from "../../operators/access";
import { requireActor } from "../../operators/require-caller";
import type { APPLICATION_ACTIONS } from "../../tenant-actions";
import { type Application, toApplication } from "./application";
import { type ClientStore, serviceClients, tenantClients } from "./store";
import { forTenant } from "./tenant-placeholder";

/** Those whose applications a call manages, after a check that the caller may do it. */
export type Owner = {
	tenantId: string | null;
	store: ClientStore;
	/** Throws for an admin of a tenant. */
	requireRank: (message: string) => void;
	/** Service-wide applications as the owner sees them. It cannot change them. */
	shared: () => Promise<Application[]>;
	read: <T>(work: () => Promise<T>) => Promise<T>;
	/** Runs `work` in a transaction, and writes an audit event: both or neither. */
	change: <T>(work: () => Promise<T>, describe: (result: T) => AuditedChange) => Promise<T>;
};

type OwnerAction = keyof typeof APPLICATION_ACTIONS;

/** The audit log names events of the service like this. Reads are not in it. */
const EVENTS = {
	"application:create": "app:create-application",
	"application:update": "app:update-application",
	"application:rotate-secret": "app:rotate-application-secret",
	"application:delete": "app:delete-application",
} as const;

type Change = keyof typeof EVENTS;

/** The tenant that the request names. */
export async function requireTenantOwner(
	ctx: GenericEndpointContext,
	action: OwnerAction,
): Promise<Owner> {
	const { tenantId, slug, read, change, requireOwner } = await manageTenant(ctx, action);
	const own = tenantClients(ctx.context);
	const all = serviceClients(ctx.context);
	return {
		tenantId,
		requireRank: requireOwner,
		store: {
			...own,
			require: async (clientId) => {
				const row = await own.find(clientId);
				if (!row && (await all.find(clientId))) throw serviceWide();
				return row ?? own.require(clientId);
			},
		},
		shared: async () => (await all.list()).map((row) => forTenant(toApplication(row, null), slug)),
		read,
		change,
	};
}

/** The operators of the service. A key of a single tenant is refused. */
export async function requireServiceOwner(
	ctx: GenericEndpointContext,
	access: Access,
	action: OwnerAction,
): Promise<Owner> {
	const actor = await requireActor(ctx, access, action);
	return {
		tenantId: null,
		requireRank: () => {},
		store: serviceClients(ctx.context),
		shared: async () => [],
		read: (work) => work(),
		change: async (work, describe) => {
			const { result } = await runWithTransaction(ctx.context.adapter, async () => {
				const result = await work();
				await recordAppEvent(ctx, { action: EVENTS[action as Change], actor, ...describe(result) });
				return { result };
			});
			return result;
		},
	};
}

const serviceWide = () =>
	new APIError("FORBIDDEN", {
		code: "APPLICATION_IS_SERVICE_WIDE",
		message: "Only operators of the service can change a service-wide application",
	});
