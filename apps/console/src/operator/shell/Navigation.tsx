import { useQuery } from "@tanstack/react-query";
import { NavLink, useMatch } from "react-router";
import { SearchIcon } from "../../ui/icons";
import { useApi } from "../api/context";
import { TenantSwitcher } from "../current-tenant/TenantSwitcher";
import { PRODUCT } from "../product";
import { useMay } from "../session/operator";
import { ConsoleIcon } from "../session/SignInPage";
import { Links } from "./Links";
import { servicePages } from "./pages";
import { listedPath, tenantLinks } from "./tenant-pages";

/** Pages at the place of a tenant's id. */
const OTHER_PAGES = ["new", "import"];

/** The id of the tenant whose page is open. */
export function useOpenTenantId(): string | null {
	const tenantId = useMatch("/tenants/:tenantId/*")?.params.tenantId;
	return tenantId && !OTHER_PAGES.includes(tenantId) ? tenantId : null;
}

export function Brand() {
	return (
		<NavLink to="/" className="shell-brand">
			<ConsoleIcon />
			<span>{PRODUCT}</span>
		</NavLink>
	);
}

export function Navigation({ onSearch }: { onSearch: () => void }) {
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	const may = useMay();
	const tenantId = useOpenTenantId();
	const page = listedPath(useMatch("/tenants/:tenantId/*")?.params["*"] ?? "");
	const serviceLinks = <Links pages={servicePages({ outbox: info?.outbox ?? false }, may)} />;
	return (
		<>
			<button type="button" className="shell-search" onClick={onSearch}>
				<SearchIcon />
				<span>Search</span>
				<kbd>{SHORTCUT}</kbd>
			</button>
			<nav aria-label="Console">
				{tenantId ? (
					// The links of a tenant need the room.
					<details className="shell-fold">
						<summary className="shell-link">Service menu</summary>
						{serviceLinks}
					</details>
				) : (
					serviceLinks
				)}
			</nav>
			<div className="shell-tenant">
				<TenantSwitcher tenantId={tenantId} page={page} />
				{tenantId && (
					<nav aria-label="Tenant">
						<Links pages={tenantLinks(`/tenants/${tenantId}`, may)} />
					</nav>
				)}
			</div>
		</>
	);
}

const SHORTCUT = /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";
