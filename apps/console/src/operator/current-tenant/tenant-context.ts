import type { ManagementAction } from "better-auth-tenant";
import { createContext, useContext } from "react";
import type { Tenant } from "../api/tenants";

/** What the caller may do in the tenant. */
export type TenantCaller = {
	may: (action: ManagementAction) => boolean;
	/** The role in the tenant. `null` for an operator, who is not one of its users. */
	role: string | null;
	/** The roles that the caller may give to users. */
	roles: string[];
};

type TenantPages = {
	tenant: Tenant;
	/** The path of the tenant's first page. The other pages are below it. */
	home: string;
	caller: TenantCaller;
};

export const TenantContext = createContext<TenantPages | null>(null);

function useTenantPages(): TenantPages {
	const pages = useContext(TenantContext);
	if (!pages) throw new Error("A page of a tenant needs a TenantContext");
	return pages;
}

/** The tenant whose page is open. */
export const useTenant = (): Tenant => useTenantPages().tenant;

export const useTenantHome = (): string => useTenantPages().home;

export const useTenantCaller = (): TenantCaller => useTenantPages().caller;

/** Pages show only what the caller may do. The server checks it again. */
export const useMayInTenant = () => useTenantCaller().may;

/** Some things belong to the app, and to none of the tenant's own users. */
export const useIsOperator = (): boolean => useTenantCaller().role === null;

/** Whether the caller is an operator or an owner: an admin may not do what changes the whole tenant. */
export const useIsOwner = (): boolean => ["owner", null].includes(useTenantCaller().role);

/** Whether the caller may change a user with this role. Nobody changes a user who may do more. */
export function useReaches(): (role: string) => boolean {
	const { role: own, roles } = useTenantCaller();
	return (role) => own === null || own === "owner" || roles.includes(role);
}
