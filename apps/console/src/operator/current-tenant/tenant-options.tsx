import { useQuery } from "@tanstack/react-query";
import type { Option } from "../../ui/OptionList";
import { useSettledValue } from "../../ui/settled-value";
import { useApi } from "../api/context";
import { TenantLogo } from "./TenantLogo";

/** Tenants whose name or slug contains the text, newest first. */
export function useTenantOptions(text: string, limit: number) {
	const { tenantsQuery } = useApi();
	const search = useSettledValue(text.trim(), 200);
	const { data, error, isFetching } = useQuery(
		tenantsQuery({
			limit,
			offset: 0,
			order: "newest",
			total: "none",
			...(search ? { search } : {}),
		}),
	);
	const options = data?.items.map(
		(tenant): Option => ({
			id: tenant.id,
			text: tenant.name,
			hint: tenant.slug,
			icon: <TenantLogo tenant={tenant} size="small" />,
		}),
	);
	return { options: options ?? [], error, isLoading: isFetching || search !== text.trim() };
}
