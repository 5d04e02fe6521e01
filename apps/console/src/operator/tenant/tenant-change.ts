import { type Tenant, updateTenant } from "../api/tenants";
import { useChange } from "../change";
import { tenantKey } from "./current-tenant";

type Changes = Parameters<typeof updateTenant>[1];

/** A change of the tenant's own fields. */
export const useTenantChange = ({ id }: Tenant) =>
	useChange({
		change: (changes: Changes) => updateTenant(id, changes),
		said: "Saved.",
		refresh: [tenantKey(id), ["tenants"]],
	});
