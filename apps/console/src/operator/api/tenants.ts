import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, ApiError, callApi, callListApi, type PageParams } from "../../api/client";

export type Tenant = Awaited<ReturnType<ReturnType<typeof tenantCalls>["updateTenant"]>>;

export const TENANTS_KEY = ["tenants"];

type TenantInput = { name: string; slug: string; metadata?: Record<string, unknown> };

export type TenantChanges = Partial<TenantInput>;

export const tenantCalls = (client: ApiClient) => ({
	tenantsQuery: (query: PageParams) =>
		queryOptions({
			queryKey: [...TENANTS_KEY, query],
			queryFn: () => callListApi((fetchOptions) => client.tenant.list({ query, fetchOptions })),
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

	/** Stores an image, in Base64, and makes it the tenant's logo. */
	uploadLogo: (tenantId: string, image: string) =>
		callApi(
			client.$fetch<{ logoUrl: string }>("/tenant/logo/upload", {
				method: "POST",
				body: { tenantId, image },
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
