import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { ChevronsIcon } from "../../ui/icons";
import { type Option, OptionList } from "../../ui/OptionList";
import { Popover } from "../../ui/Popover";
import { useApi } from "../api/context";
import { TenantLogo } from "./TenantLogo";
import { useTenantOptions } from "./tenant-options";

type TenantSwitcherProps = {
	tenantId: string | null;
	/** The open page of the tenant, such as `policy`. The other tenant opens at it too. */
	page: string;
};

/** Shows the open tenant, and leads to any other one. */
export function TenantSwitcher({ tenantId, page }: TenantSwitcherProps) {
	const { tenantQuery } = useApi();
	const { data: tenant } = useQuery({ ...tenantQuery(tenantId ?? ""), enabled: tenantId !== null });
	const navigate = useNavigate();
	return (
		<Popover
			kind="dialog"
			className="switcher"
			panelClassName="popover-options"
			button={
				<>
					{tenant && <TenantLogo tenant={tenant} size="small" />}
					<span className="switcher-name">
						<span className="visually-hidden">Switch tenant: </span>
						{tenant?.name ?? (tenantId ? "Tenant" : "Choose a tenant")}
					</span>
					<ChevronsIcon />
				</>
			}
		>
			{(close) => (
				<TenantOptions
					onChoose={({ id }) => {
						close();
						void navigate(`/tenants/${id}${page && `/${page}`}`);
					}}
				/>
			)}
		</Popover>
	);
}

/** Finds a tenant by name or slug. It starts with the newest ones. */
export function TenantOptions({ onChoose }: { onChoose: (option: Option) => void }) {
	const [search, setSearch] = useState("");
	const { options, error, isLoading } = useTenantOptions(search, 8);
	return (
		<OptionList
			label="Search tenants by name or slug"
			search={search}
			onSearch={setSearch}
			groups={[{ title: search ? "" : "Newest tenants", options }]}
			isLoading={isLoading}
			empty={error ? error.message : "No tenants found"}
			onChoose={onChoose}
		/>
	);
}
