import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, NavLink } from "react-router";
import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useApi } from "../operator/api/context";
import type { Tenant } from "../operator/api/tenants";
import { TenantLogo } from "../operator/current-tenant/TenantLogo";
import type { TenantCaller } from "../operator/current-tenant/tenant-context";
import { useTenantUrls } from "../operator/current-tenant/tenant-urls";
import { titleOf } from "../operator/product";
import { Account } from "../operator/shell/Account";
import { Frame } from "../operator/shell/Frame";
import { Links } from "../operator/shell/Links";
import { tenantLinks } from "../operator/shell/tenant-pages";
import { TenantLayout } from "../operator/tenants/TenantLayout";
import { EmptyState, ErrorState } from "../ui/feedback";
import { useToast } from "../ui/Toast";
import { useAdminPlace } from "./admin-context";
import { LoadingPage } from "./message-pages";

/** The frame of the pages for the tenant's own administrators. */
export function AdminLayout() {
	const { permissions } = useAdminPlace();
	const { data: tenant, error, refetch } = useManagedTenant();
	useMoveToNewSlug(tenant);
	if (!tenant) {
		return error ? (
			<main className="gate">
				<ErrorState error={error} onRetry={refetch} />
			</main>
		) : (
			<LoadingPage />
		);
	}
	const { role, roles, actions } = permissions;
	const caller: TenantCaller = {
		may: (action) => actions.some((allowed) => allowed === action),
		role: role ?? "",
		roles,
	};
	return (
		<Frame
			brand={
				<NavLink to="/" className="shell-brand">
					<TenantLogo tenant={tenant} size="small" />
					<span className="switcher-name">{tenant.name}</span>
				</NavLink>
			}
			navigation={() => (
				<nav aria-label="Administration">
					<Links pages={tenantLinks("", caller.may)} />
				</nav>
			)}
			account={<AccountOfAdmin />}
		>
			<TenantLayout tenant={tenant} home="" caller={caller} />
		</Frame>
	);
}

/** The tenant with its settings. A role that may not read them knows what everybody knows. */
function useManagedTenant() {
	const { options, permissions } = useAdminPlace();
	const { tenantQuery } = useApi();
	const isAllowed = permissions.actions.includes("tenant:get");
	const { id, name, slug } = options.tenant;
	const query = useQuery({ ...tenantQuery(id), enabled: isAllowed });
	if (isAllowed) return query;
	const known: Tenant = {
		id,
		name,
		slug,
		metadata: { branding: options.branding },
		createdAt: "",
		updatedAt: "",
	};
	return { ...query, data: known, error: null };
}

/** An owner may change the slug, and these pages are at another address then. */
function useMoveToNewSlug(tenant: Tenant | undefined): void {
	const { options } = useAdminPlace();
	const urls = useTenantUrls(tenant?.slug ?? options.tenant.slug);
	const isMoved = tenant !== undefined && tenant.slug !== options.tenant.slug;
	useEffect(() => {
		if (isMoved && urls)
			window.location.replace(`${urls.signIn.replace(/\/$/, "")}/admin/settings`);
	}, [isMoved, urls]);
}

function AccountOfAdmin() {
	const { base, client } = useAdminPlace();
	const toast = useToast();
	const { data } = useQuery({
		queryKey: ["own-session"],
		queryFn: () => callApi(client.getSession()),
	});
	const signOut = useApiMutation({
		mutationFn: () => callApi(client.signOut()),
		onSuccess: () => window.location.assign(`${base}/sign-in`),
		onError: ({ message }) => toast(message, "danger"),
	});
	return (
		<Account
			name={
				<a href={`${base}/account`} title="Your account">
					{data?.user.email ?? "Your account"}
				</a>
			}
			onSignOut={() => signOut.mutate()}
		/>
	);
}

export function NotFoundPage() {
	return (
		<>
			<title>{titleOf("Page not found")}</title>
			<h1 className="visually-hidden">Page not found</h1>
			<EmptyState
				title="This page does not exist"
				action={<Link to="/">Go to the overview</Link>}
			/>
		</>
	);
}
