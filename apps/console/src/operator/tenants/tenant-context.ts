import type { ManagementAction } from "better-auth-tenant";
import { createContext, useContext } from "react";
import type { Tenant } from "../api/tenants";

type TenantPages = {
	tenant: Tenant;
	/** The path of the tenant's first page. The other pages are below it. */
	home: string;
	/** Whether the caller may do something in this tenant. */
	may: (action: ManagementAction) => boolean;
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

/** Pages show only what the caller may do. The server checks it again. */
export const useMayInTenant = () => useTenantPages().may;
