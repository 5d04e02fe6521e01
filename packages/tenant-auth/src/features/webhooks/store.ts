import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { TENANT_MODEL, type TenantScope } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import type { TenantRecord } from "../../call/port/tenant-plugin";
import { tenantError } from "../../tenant-error";
import { toSubscriptions } from "./outbox";
import { newSecret, sealSecret } from "./secrets";
import { typesOf, type WebhookRow } from "./webhook";
import { webhookError } from "./webhook-error";

const MODEL = "tenantWebhook";

/** Every event is written once for each of them. */
const MAX_WEBHOOKS = 10;

type StoreContext = Pick<AuthContext, "adapter" | "secretConfig" | "options">;

export const storedTypes = (eventTypes: string[]) =>
	JSON.stringify([...new Set(eventTypes)].sort());

const ofTenant = ({ tenantId }: TenantScope): Where[] => [{ field: "tenantId", value: tenantId }];

export async function listWebhooks(
	{ adapter }: Pick<AuthContext, "adapter">,
	scope: TenantScope,
): Promise<WebhookRow[]> {
	const sortBy = { field: "createdAt", direction: "asc" } as const;
	const database = await getCurrentAdapter(adapter);
	return database.findMany<WebhookRow>({ model: MODEL, where: ofTenant(scope), sortBy });
}

export async function requireWebhook(
	ctx: Pick<AuthContext, "adapter" | "options">,
	scope: TenantScope,
	id: string,
): Promise<WebhookRow> {
	const database = await getCurrentAdapter(ctx.adapter);
	const where = [...ofTenant(scope), { field: "id", value: id }];
	const row = isPossibleId(ctx.options, id)
		? await database.findOne<WebhookRow>({ model: MODEL, where })
		: null;
	// MySQL ignores case and trailing spaces.
	if (row?.id !== id) throw webhookError("WEBHOOK_NOT_FOUND");
	return row;
}

/**
 * Changes webhooks of a tenant, and with them the list that the tenant's row has of them. Call it first
 * in a transaction: the lock lets one change after the other see all webhooks. MySQL shows no later
 * changes after the first read of a transaction.
 */
export async function changeWebhooks<T>(
	ctx: Pick<AuthContext, "adapter">,
	scope: TenantScope,
	change: () => Promise<T>,
): Promise<{ result: T; tenant: TenantRecord }> {
	const database = await getCurrentAdapter(ctx.adapter);
	const byId = [{ field: "id", value: scope.tenantId }];
	const updatedAt = new Date();
	const found = await database.updateMany({
		model: TENANT_MODEL,
		where: byId,
		update: { updatedAt },
	});
	if (found === 0) throw tenantError("TENANT_NOT_FOUND");
	const result = await change();
	const rows = await listWebhooks(ctx, scope);
	const webhooks = toSubscriptions(rows.map((row) => ({ ...row, eventTypes: typesOf(row) })));
	await database.updateMany({ model: TENANT_MODEL, where: byId, update: { webhooks } });
	return { result, tenant: { id: scope.tenantId, webhooks } };
}

export async function insertWebhook(
	ctx: StoreContext,
	scope: TenantScope,
	input: { url: string; description: string | null; eventTypes: string[]; enabled: boolean },
): Promise<{ row: WebhookRow; secret: string }> {
	if ((await listWebhooks(ctx, scope)).length >= MAX_WEBHOOKS) {
		throw webhookError("TOO_MANY_WEBHOOKS");
	}
	const database = await getCurrentAdapter(ctx.adapter);
	const secret = newSecret();
	const now = new Date();
	const { id } = await database.create<Omit<WebhookRow, "id">, WebhookRow>({
		model: MODEL,
		data: {
			...input,
			tenantId: scope.tenantId,
			eventTypes: storedTypes(input.eventTypes),
			// It is bound to the id, which the database may choose.
			secret: "",
			previousSecret: null,
			previousUntil: null,
			failures: 0,
			disabledAt: null,
			createdAt: now,
			updatedAt: now,
		},
	});
	const sealed = await sealSecret(ctx, { id, tenantId: scope.tenantId }, secret);
	return { row: await updateWebhook(ctx, scope, id, { secret: sealed }), secret };
}

export async function updateWebhook(
	ctx: Pick<AuthContext, "adapter" | "options">,
	scope: TenantScope,
	id: string,
	update: Partial<Omit<WebhookRow, "id" | "tenantId" | "createdAt">>,
): Promise<WebhookRow> {
	const { id: known } = await requireWebhook(ctx, scope, id);
	const database = await getCurrentAdapter(ctx.adapter);
	await database.updateMany({
		model: MODEL,
		where: [{ field: "id", value: known }],
		update: { ...update, updatedAt: new Date() },
	});
	return requireWebhook(ctx, scope, id);
}

/** A new secret signs at once. The old one signs too until `previousUntil`. */
export async function rotateSecret(
	ctx: StoreContext,
	scope: TenantScope,
	id: string,
	previousUntil: Date | null,
): Promise<{ row: WebhookRow; secret: string }> {
	const { secret: old } = await requireWebhook(ctx, scope, id);
	const secret = newSecret();
	const row = await updateWebhook(ctx, scope, id, {
		secret: await sealSecret(ctx, { id, tenantId: scope.tenantId }, secret),
		previousSecret: previousUntil && old,
		previousUntil,
	});
	return { row, secret };
}

export async function deleteWebhook(
	ctx: Pick<AuthContext, "adapter" | "options">,
	scope: TenantScope,
	id: string,
): Promise<void> {
	const { id: known } = await requireWebhook(ctx, scope, id);
	const database = await getCurrentAdapter(ctx.adapter);
	await database.deleteMany({ model: MODEL, where: [{ field: "id", value: known }] });
}
