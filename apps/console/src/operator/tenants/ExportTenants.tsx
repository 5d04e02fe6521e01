import { useApi } from "../api/context";
import type { TENANT_SORTS, Tenant, TenantFilters } from "../api/tenants";
import { ExportMenu } from "../lists/ExportMenu";
import type { Columns } from "../lists/export-list";
import type { OrderParams } from "../lists/list-state";

const COLUMNS: Columns<Tenant> = {
	id: ({ id }) => id,
	slug: ({ slug }) => slug,
	name: ({ name }) => name,
	suspendedAt: ({ suspendedAt }) => suspendedAt,
	createdAt: ({ createdAt }) => createdAt,
	updatedAt: ({ updatedAt }) => updatedAt,
};

type ExportTenantsProps = {
	search: string;
	filters: TenantFilters;
	order: OrderParams<(typeof TENANT_SORTS)[number]>;
};

/** Exports the list of all tenants that match the search and the filters. */
export function ExportTenants({ search, filters, order }: ExportTenantsProps) {
	const { listTenants } = useApi();
	return (
		<ExportMenu
			name="tenants"
			columns={COLUMNS}
			readPage={(part) =>
				listTenants({ ...(search ? { search } : {}), ...filters, ...order, ...part })
			}
		/>
	);
}
