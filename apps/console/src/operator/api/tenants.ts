import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ApiError, callApi, callListApi, type PageParams } from "../../api/client";
import { client } from "./client";

const getTenant = (id: string) => callApi(client.tenant.get({ query: { id } }));

export const getTenantBySlug = (slug: string) => callApi(client.tenant.get({ query: { slug } }));

export type Tenant = Awaited<ReturnType<typeof getTenant>>;

export const TENANTS_KEY = ["tenants"];

export const tenantsQuery = (query: PageParams) =>
	queryOptions({
		queryKey: [...TENANTS_KEY, query],
		queryFn: () => callListApi((fetchOptions) => client.tenant.list({ query, fetchOptions })),
		placeholderData: keepPreviousData,
	});

export const tenantQuery = (id: string) =>
	queryOptions({ queryKey: ["tenant", id], queryFn: () => getTenant(id) });

export const slugTakenQuery = (slug: string) =>
	queryOptions({
		queryKey: ["slug-taken", slug],
		queryFn: () => isSlugTaken(slug),
		// Someone else may create a tenant with this slug at any time.
		staleTime: 2000,
	});

const isSlugTaken = (slug: string): Promise<boolean> =>
	callApi(client.tenant.get({ query: { slug } })).then(
		() => true,
		(error: unknown) => {
			if (error instanceof ApiError && error.status === 404) return false;
			throw error;
		},
	);

type TenantInput = { name: string; slug: string; metadata?: Record<string, unknown> };

export type TenantChanges = Partial<TenantInput>;

export const createTenant = (input: TenantInput) => callApi(client.tenant.create(input));

export const updateTenant = (tenantId: string, changes: TenantChanges) =>
	callApi(client.tenant.update({ tenantId, ...changes }));

export const suspendTenant = (tenantId: string) => callApi(client.tenant.suspend({ tenantId }));

export const resumeTenant = (tenantId: string) => callApi(client.tenant.resume({ tenantId }));

export const deleteTenant = (tenantId: string) => callApi(client.tenant.delete({ tenantId }));
