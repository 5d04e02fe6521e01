import { ApiError } from "../../api/api-error";
import { answerOf, pageOf, type Wire } from "./answer";
import { client } from "./client";

export type Window = { limit: number; offset: number; search?: string };

export type Tenant = Wire<NonNullable<Awaited<ReturnType<typeof client.tenant.get>>["data"]>>;

export const listTenants = (query: Window) =>
	pageOf((fetchOptions) => client.tenant.list({ query, fetchOptions }));

export const getTenant = (id: string) => answerOf(client.tenant.get({ query: { id } }));

export const isSlugTaken = (slug: string): Promise<boolean> =>
	answerOf(client.tenant.get({ query: { slug } })).then(
		() => true,
		(error: unknown) => {
			if (error instanceof ApiError && error.status === 404) return false;
			throw error;
		},
	);

type TenantInput = { name: string; slug: string; metadata?: Record<string, unknown> };

export const createTenant = (input: TenantInput) => answerOf(client.tenant.create(input));

export const updateTenant = (tenantId: string, changes: Partial<TenantInput>) =>
	answerOf(client.tenant.update({ tenantId, ...changes }));

export const suspendTenant = (tenantId: string) => answerOf(client.tenant.suspend({ tenantId }));

export const resumeTenant = (tenantId: string) => answerOf(client.tenant.resume({ tenantId }));

export const deleteTenant = (tenantId: string) => answerOf(client.tenant.delete({ tenantId }));
