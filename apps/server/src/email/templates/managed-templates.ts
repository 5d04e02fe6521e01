import type { GenericEndpointContext } from "@better-auth/core";
import { runWithTransaction } from "@better-auth/core/context";
import { isAPIError } from "better-auth/api";
import {
	type Actor,
	type AuditedChange,
	manageTenant,
	recordAppEvent,
	runOnPlatform,
} from "better-auth-tenant";
import type { Access } from "../../operators/access";
import { requireActor } from "../../operators/require-caller";

type TemplateAction = `mail-template:${"list" | "get" | "set" | "reset" | "preview"}`;

/** Templates that the caller of an endpoint may manage: those of a tenant, or those of the service. */
export type ManagedTemplates = {
	isService: boolean;
	/** `null` for those of the service. */
	tenantId: string | null;
	/** Who manages them. */
	actor: Actor;
	read: <T>(work: () => Promise<T>) => Promise<T>;
	/** Runs `work` where the templates of the service are. */
	readService: <T>(work: () => Promise<T>) => Promise<T>;
	/** In a transaction, with an audit event. */
	change: Change;
};

type Change = <T>(work: () => Promise<T>, describe: (result: T) => AuditedChange) => Promise<T>;

export type ManageTemplates = (
	ctx: GenericEndpointContext,
	action: TemplateAction,
) => Promise<ManagedTemplates>;

/** For operators, and for users of the tenant whose role permits it. */
export const ofTenant: ManageTemplates = async (ctx, action) => {
	const { tenantId, actor, read, change } = await manageTenant(ctx, action);
	return {
		isService: false,
		tenantId,
		actor,
		read,
		readService: runOnPlatform,
		change: repeated(change),
	};
};

/** For operators only: all tenants use these templates. */
export const ofService =
	(access: Access): ManageTemplates =>
	async (ctx, action) => {
		const actor = await requireActor(ctx, access, action);
		const event = `app:${action.split(":")[1] ?? ""}-mail-template` as const;
		const change: Change = (work, describe) =>
			runOnPlatform(
				async () =>
					await runWithTransaction(ctx.context.adapter, async () => {
						const result = await work();
						await recordAppEvent(ctx, { action: event, actor, ...describe(result) });
						return result;
					}),
			);
		return {
			isService: true,
			tenantId: null,
			actor,
			read: runOnPlatform,
			readService: runOnPlatform,
			change: repeated(change),
		};
	};

/** Somebody else may add the same template at the same time. The second attempt finds it. */
const repeated =
	(change: Change): Change =>
	async (work, describe) => {
		try {
			return await change(work, describe);
		} catch (error) {
			if (isAPIError(error)) throw error;
			return change(work, describe);
		}
	};
