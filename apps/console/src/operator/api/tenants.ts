import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
	type ApiClient,
	ApiError,
	callApi,
	callListApi,
	type PageParams,
	type TextSort,
} from "../../api/client";

export type Tenant = Awaited<ReturnType<ReturnType<typeof tenantCalls>["updateTenant"]>>;

export const TENANTS_KEY = ["tenants"];

type TenantInput = { name: string; slug: string; metadata?: Record<string, unknown> };

/** The fields of a branding that can have an uploaded image. */
export type ImageField = "logoUrl" | "darkLogoUrl" | "faviconUrl";

export type TenantChanges = Partial<TenantInput>;

/** The texts by which tenants are sorted. */
export const TENANT_SORTS = ["name", "slug"] as const;

export type TenantFilters = { status?: "open" | "suspended" };

type TenantQuery = PageParams & TenantFilters & { sort?: TextSort<(typeof TENANT_SORTS)[number]> };

const listTenants = (client: ApiClient, query: TenantQuery) =>
	callListApi((fetchOptions) => client.tenant.list({ query, fetchOptions }));

export const tenantCalls = (client: ApiClient) => ({
	listTenants: (query: TenantQuery) => listTenants(client, query),

	tenantsQuery: (query: TenantQuery) =>
		queryOptions({
			queryKey: [...TENANTS_KEY, query],
			queryFn: () => listTenants(client, query),
			placeholderData: keepPreviousData,
		}),

	tenantQuery: (id: string) =>
		queryOptions({
			queryKey: ["tenant", id],
			queryFn: () => callApi(client.tenant.get({ query: { id } })),
		}),

	slugTakenQuery: (slug: string) =>
		queryOptions({
			queryKey: ["slug-taken", slug],
			queryFn: () => isSlugTaken(client, slug),
			// Someone else may create a tenant with this slug at any time.
			staleTime: 2000,
		}),

	/** What the tenant's sign-in page shows. A suspended tenant has none. */
	loginOptionsQuery: (tenantId: string) =>
		queryOptions({
			queryKey: ["login-options-of", tenantId],
			queryFn: () => callApi(client.tenant.loginOptions({ query: { tenantId } })),
		}),

	/** Stores an image, in Base64, and makes it the tenant's logo, dark logo or icon. */
	uploadLogo: (tenantId: string, field: ImageField, image: string) =>
		callApi(
			client.$fetch<Partial<Record<ImageField, string>>>("/tenant/logo/upload", {
				method: "POST",
				body: { tenantId, field, image },
			}),
		),

	createTenant: (input: TenantInput) => callApi(client.tenant.create(input)),
	updateTenant: (tenantId: string, changes: TenantChanges) =>
		callApi(client.tenant.update({ tenantId, ...changes })),
	suspendTenant: (tenantId: string) => callApi(client.tenant.suspend({ tenantId })),
	resumeTenant: (tenantId: string) => callApi(client.tenant.resume({ tenantId })),
	deleteTenant: (tenantId: string) => callApi(client.tenant.delete({ tenantId })),
});

const isSlugTaken = (client: ApiClient, slug: string): Promise<boolean> =>
	callApi(client.tenant.get({ query: { slug } })).then(
		() => true,
		(error: unknown) => {
			if (error instanceof ApiError && error.status === 404) return false;
			throw error;
		},
	);
