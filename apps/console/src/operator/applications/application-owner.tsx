import { createContext, type ReactNode, useContext } from "react";
import { useMayInTenant, useTenant, useTenantHome } from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { titleOf } from "../product";
import { useMay } from "../session/operator";

type ApplicationAction = `application:${"create" | "update" | "rotate-secret" | "delete"}`;

/** Whose applications the pages show. */
export type ApplicationOwner = {
	/** `null` for applications of all tenants. */
	tenantId: string | null;
	/** The title of the browser's tab. */
	titleOf: (title: string) => string;
	/** The path of the list. */
	home: string;
	/** `undefined` while it loads. */
	issuer: string | undefined;
	may: (action: ApplicationAction) => boolean;
};

const OwnerContext = createContext<ApplicationOwner | null>(null);

export function useApplicationOwner(): ApplicationOwner {
	const owner = useContext(OwnerContext);
	if (!owner) throw new Error("A page about applications needs an owner");
	return owner;
}

/** Around the pages about applications of the tenant that is open. */
export function OfTenant({ children }: { children: ReactNode }) {
	const { id, name, slug } = useTenant();
	const owner: ApplicationOwner = {
		tenantId: id,
		titleOf: (title) => titleOf(title, name),
		home: `${useTenantHome()}/applications`,
		issuer: useTenantUrls(slug)?.issuer,
		may: useMayInTenant(),
	};
	return <OwnerContext value={owner}>{children}</OwnerContext>;
}

/** Around the pages about applications of all tenants. `{tenant}` stands for the slug of a tenant. */
export function OfService({ children }: { children: ReactNode }) {
	const owner: ApplicationOwner = {
		tenantId: null,
		titleOf,
		home: "/applications",
		issuer: useTenantUrls("{tenant}")?.issuer,
		may: useMay(),
	};
	return <OwnerContext value={owner}>{children}</OwnerContext>;
}
